// The last legal point in reading order.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;

public class my_player {
    public static void main(String[] arguments) throws Exception {
        List<String> lines = Files.readAllLines(Path.of("input.txt"));
        Board board = new Board(String.join("", lines.subList(6, 11)));
        String before = String.join("", lines.subList(1, 6));
        String answer = "PASS";
        for (int point = 24; point >= 0; point--) {
            if (board.isLegal(lines.get(0).charAt(0), before, point)) {
                answer = point / 5 + "," + point % 5;
                break;
            }
        }
        Files.writeString(Path.of("output.txt"), answer);
    }
}

class Board {
    private final String points;

    Board(String points) {
        this.points = points;
    }

    boolean isLegal(char colour, String before, int point) {
        if (points.charAt(point) != '0') {
            return false;
        }
        StringBuilder left = new StringBuilder(points);
        left.setCharAt(point, colour);
        Board placed = new Board(left.toString());
        for (int near = 0; near < 25; near++) {
            if (placed.points.charAt(near) == (char) ('3' - colour + '0') && !placed.breathes(near)) {
                left.setCharAt(near, '0');
            }
        }
        return new Board(left.toString()).breathes(point) && !left.toString().equals(before);
    }

    private boolean breathes(int point) {
        boolean[] seen = new boolean[25];
        ArrayDeque<Integer> todo = new ArrayDeque<>(List.of(point));
        seen[point] = true;
        while (!todo.isEmpty()) {
            int at = todo.pop();
            for (int near : new int[] {at - 5, at + 5, at % 5 > 0 ? at - 1 : -1, at % 5 < 4 ? at + 1 : -1}) {
                if (near < 0 || near > 24) {
                    continue;
                }
                if (points.charAt(near) == '0') {
                    return true;
                }
                if (points.charAt(near) == points.charAt(point) && !seen[near]) {
                    seen[near] = true;
                    todo.push(near);
                }
            }
        }
        return false;
    }
}
