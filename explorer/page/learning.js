// The texts of the mode "Learn": the rules, on five boards on which the user plays.
//
// link: the board as in an address. steps: the moves that the user must play, one after the other. moves: the accepted moves of
// a step; "any" accepts every stone. wrong: the text after any other move. reply: a list of White's moves, of which the page
// plays the first legal move. said: the text after the step.

import { KOMI } from "./game.js";
import { PLIES, moveName } from "./rules.js";
import { resultOf } from "./words.js";

export const RULES_BOARDS = [
  {
    title: "Liberties",
    link: "from=_______O___OXO___________.6.-.-",
    text: "Black and White put stones on empty points in turn. A stone needs an empty point beside it, along the lines: a liberty. The black stone on 2,2 has one left, 3,2. You are Black: save it.",
    steps: [
      {
        moves: ["3,2"],
        wrong: "Then White plays 3,2, and your stone is gone. Put a stone on its last liberty.",
        said: "The two stones touch along a line, so they are a group and share their liberties: three now, 3,1, 3,3 and 4,2.",
      },
    ],
  },
  {
    title: "Taking stones",
    link: "from=__X___XOX__XOX___________.10.-.-",
    text: "Whoever fills the last liberty of the other side's stones takes them off the board. White's two stones have one liberty, 3,2. Take them.",
    steps: [
      {
        moves: ["3,2"],
        wrong: "That leaves them their liberty. It is 3,2, below them.",
        said: "Both are off the board, and their points are empty again. Small crosses show where they stood.",
      },
    ],
  },
  {
    title: "Suicide",
    link: "from=_O___O____________XO__XO_.8.-.-",
    text: "A stone may not be put where it would have no liberty. Click on 0,0: it is refused. On 4,4 it is allowed, because there it takes the white stone on 4,3 first. Play 4,4.",
    steps: [
      {
        moves: ["4,4"],
        wrong: "That is allowed, too. But here the wanted point is 4,4.",
        said: "Your stone took 4,3 and so has a liberty. What takes is never suicide.",
      },
    ],
  },
  {
    title: "Ko",
    link: "from=______XO__XO_O__XO_______.8.12.-",
    text: "White has just taken a black stone on 2,2. Taking back there would bring back the board of one move before, and then White could take again, for ever. So the ko rule forbids 2,2 for one turn: a square marks it. Try it, then play on any other point.",
    steps: [
      {
        moves: ["any"],
        wrong: "",
        reply: ["0,4", "4,4"],
        said: "White has answered elsewhere. The board is another one now, so 2,2 is free again: take there.",
      },
      {
        moves: ["2,2"],
        wrong: "Take the white stone on 2,1: play 2,2.",
        said: "You took back, and now 2,1 is forbidden to White for one turn. That is all of ko: one move elsewhere, then you may take.",
      },
    ],
  },
  {
    title: "PASS and the count",
    link: "from=XXXO__XXOOXXXO__X_OO_____.20.-.P",
    text: `Who does not want to put a stone says PASS. Two in a row end the game, and so does the last of its ${PLIES} moves, which are called plies. Then stones are counted, and White gets ${KOMI} points more, the komi. White has passed. Black has 9 stones, White 6 and ${KOMI}, which is ${6 + KOMI}. Press PASS.`,
    steps: [
      {
        moves: ["PASS"],
        wrong: "The game would go on. You are ahead now: PASS ends it.",
        said: `The game is over. 9 to ${6 + KOMI}: Black wins by ${9 - 6 - KOMI}, which is written ${resultOf(9 - 6)}. Those are all the rules.`,
      },
    ],
  },
];

// Return the number of steps of a board that the moves complete. Return null if the moves do not follow the steps, or if
// White's reply is missing.
export function stepsDone({ steps }, moves) {
  let at = 0;
  for (let done = 0; ; done++) {
    if (at === moves.length) return done;
    if (at > moves.length || done === steps.length || !isWanted(steps[done], moves[at])) return null;
    at += steps[done].reply ? 2 : 1;
  }
}

export function isWanted({ moves }, move) {
  const name = moveName(move);
  return moves.includes(name) || (moves.includes("any") && name !== "PASS");
}
