// The first legal point in reading order.
#include <fstream>
#include <string>
#include <vector>

static std::vector<int> neighbours(int point) {
    std::vector<int> found;
    if (point >= 5) found.push_back(point - 5);
    if (point < 20) found.push_back(point + 5);
    if (point % 5 > 0) found.push_back(point - 1);
    if (point % 5 < 4) found.push_back(point + 1);
    return found;
}

static bool breathes(const std::string& board, int point) {
    std::vector<int> group{point};
    std::vector<bool> seen(25, false);
    seen[point] = true;
    for (size_t next = 0; next < group.size(); ++next)
        for (int near : neighbours(group[next])) {
            if (board[near] == '0') return true;
            if (board[near] == board[point] && !seen[near]) {
                seen[near] = true;
                group.push_back(near);
            }
        }
    return false;
}

int main() {
    std::ifstream input("input.txt");
    std::string colour, line, before, board;
    input >> colour;
    for (int row = 0; row < 5; ++row) input >> line, before += line;
    for (int row = 0; row < 5; ++row) input >> line, board += line;
    const char other = colour == "1" ? '2' : '1';
    for (int point = 0; point < 25; ++point) {
        if (board[point] != '0') continue;
        std::string placed = board;
        placed[point] = colour[0];
        std::string left = placed;
        for (int near = 0; near < 25; ++near)
            if (placed[near] == other && !breathes(placed, near)) left[near] = '0';
        if (!breathes(left, point) || left == before) continue;
        std::ofstream("output.txt") << point / 5 << "," << point % 5;
        return 0;
    }
    std::ofstream("output.txt") << "PASS";
}
