// The lessons of the tour. tests/explorer/test_tour.py reads the list as JSON, and checks that every sentence is true.
//
// link: the board as in an address. plain: true if the values of the moves are hidden.

export const LESSONS = [
  {
    "title": "Why the centre",
    "boards": [
      {
        "link": "",
        "text": "Black wins if he ends three stones ahead, for White has 2.5 points more, the komi. Only one first move does that: 2,2, and by exactly three. After any other one White wins."
      },
      {
        "link": "moves=2,2",
        "text": "A stone in the centre has four free points beside it, and no edge near. Whatever White answers, Black wins. By half a point: three stones less the komi."
      },
      {
        "link": "moves=1,2",
        "text": "Beside the centre Black comes closest: in best play the stones end level, and the komi decides. White's best answer is the centre that Black left open."
      },
      {
        "link": "moves=1,1.2,2",
        "text": "So it is after every other first stone: White's best answer is 2,2, and no other is as good. Here White wins by 4.5."
      },
      {
        "link": "moves=2,2.1,1.1,2.3,1.2,1.3,2.3,0.1,0.0,1.2,0.0,0.2,3.0,2.1,3.0,3.2,4.0,4.3,3.1,0.1,4.2,0.3,4.4,0.4,1",
        "text": "One line of best play to the end, of many. Black has 12 stones and White 9. The stone at 2,2 has stood all the time."
      }
    ]
  },
  {
    "title": "Why not the corners",
    "boards": [
      {
        "link": "moves=0,0",
        "text": "In a corner a stone has two free points beside it, at the edge three, elsewhere four. No first move is worse than 0,0: White wins by 5.5. White may even play where he likes: every stone wins, and only a PASS gives the win away."
      },
      {
        "link": "moves=2,2.0,0.1,0.4,4.0,1",
        "plain": true,
        "text": "Two stones have taken the white one in the corner. The crosses show where stones were taken."
      },
      {
        "link": "moves=2,2.0,2.1,2.4,4.0,1.4,3.0,3",
        "plain": true,
        "text": "At the edge it took three."
      },
      {
        "link": "moves=2,2.0,0",
        "text": "After 2,2 White is lost, but by half a point. In a corner he loses by 2.5: as much as by a PASS. So an early stone in the corner is worth no more than none."
      },
      {
        "link": "from=_OOX_OOOXXOOOX__OXXX_XXX_.20.-.-",
        "text": "Late it is another matter. Four plies are left, and the corner 4,0 is Black's only winning move."
      }
    ]
  },
  {
    "title": "White has the last ply",
    "boards": [
      {
        "link": "",
        "text": "A game has 24 plies. Black plays the odd ones and White the even ones, so nobody can answer White's last move. The next boards show what that is worth."
      },
      {
        "link": "from=_OXX_OXXXXOOXXX_OXOXXOOO_.23.-.-",
        "text": "One ply is left, and Black is three stones ahead: enough, if the game ended now. But every stone that White can play wins. Only with a PASS would he lose."
      },
      {
        "link": "moves=2,2.0,0.1,1.0,1.1,0.4,3.1,2.0,2.3,2.2,3.3,3.4,2.3,1.0,4.0,3.2,1.4,1.1,3.1,4.0,2.0,0.0,4.2,4",
        "text": "The last ply again, and Black is four stones ahead. At 3,4 White takes two stones and puts one: Black is only one ahead, and White wins. After any other move, PASS too, Black would win."
      },
      {
        "link": "from=_XXO_XXXO_XXXOXXOXOOO_OO_.22.-.-",
        "text": "Two plies are left, and the second is White's. The big black group has one free point, 0,0. Only 4,1 wins: it takes two stones and gives the group more."
      },
      {
        "link": "from=_XXO_XXXO_XXXOXXOXOOO_OO_.22.-.-&moves=1,4.0,0",
        "text": "After 1,4 White takes ten stones with the last ply. Nobody can answer: White wins by 10.5."
      }
    ]
  },
  {
    "title": "When PASS wins",
    "boards": [
      {
        "link": "moves=PASS",
        "text": "A PASS on the first ply ends the game at once: the host takes the unchanged board for a second PASS. Nobody has a stone, and White wins by the komi."
      },
      {
        "link": "moves=2,2.PASS",
        "text": "Two in a row end the game, too. If Black passed now, he would be one stone ahead and lose. Any stone of his wins."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.1,0.4,0.0,0.3,0.3,1.4,1.1,4.3,4.0,1.3,3.0,2.4,3.2,4.2,0",
        "text": "Three plies are left, and White to move may only play 0,3, 0,4 or PASS. PASS wins; either stone loses."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.1,0.4,0.0,0.3,0.3,1.4,1.1,4.3,4.0,1.3,3.0,2.4,3.2,4.2,0.0,3.0,4",
        "plain": true,
        "text": "White played 0,3, one of the two free points of his own stones. Black played the other one, and all ten white stones are gone."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.1,0.4,0.0,0.3,0.3,1.4,1.1,4.3,4.0,1.3,3.0,2.4,3.2,4.2,0.PASS",
        "text": "After the PASS Black is two stones ahead, half a point short of the komi. No move of his changes that. Nobody has to move, and here moving loses."
      }
    ]
  },
  {
    "title": "The ko rule in practice",
    "boards": [
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0.1,4",
        "text": "White's stone at 2,0 has one free point beside it, 1,0. Black takes it there: no other move is worth as much."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0.1,4.1,0",
        "text": "If White could take back at 2,0, White would win. But that would bring back the board before Black's move. So the point is forbidden for one ply: the square marks it. Now every move of White's loses."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0.1,4.1,0.0,1",
        "text": "White has played elsewhere, and 2,0 is free again. White threatens to take there. Black's only winning move is to fill it."
      },
      {
        "link": "moves=2,2.1,1.2,1.1,2.2,3.1,3.3,2.0,0.2,4.2,0.3,0.1,4.1,0.0,1.3,3.2,0",
        "text": "Black forgot, and White took. Now 1,0 is forbidden to Black for one ply, and White wins."
      },
      {
        "link": "from=_OXX_OXXXXOOXXX_OXOX_OOO_.22.-.-",
        "text": "Two plies are left. Black's only winning move is 0,0, which takes 0,1. White has the last ply, and may not take back."
      }
    ]
  },
  {
    "title": "The trap after 2,2 1,2",
    "boards": [
      {
        "link": "moves=2,2",
        "text": "White is lost, whatever he plays. So he plays where people go wrong: the book's move is 1,2, which loses by no more than any other."
      },
      {
        "link": "moves=2,2.1,2",
        "text": "Only two of Black's 24 replies keep the win, 2,1 and 2,3: each is the other's image. By the models most opponents miss them."
      },
      {
        "link": "moves=2,2.1,2.3,2",
        "text": "A likely mistake, away from the white stone. White wins by half a point, with 1,1 or 1,3 alone."
      },
      {
        "link": "moves=2,2.1,2.2,1.2,3",
        "text": "Black found 2,1, and White sets the next trap. Of 22 replies one alone wins: 3,3. The models' opponents miss it 94 times in a hundred."
      },
      {
        "link": "moves=2,2.1,2.2,1.2,3.3,3.1,3",
        "text": "The third trap. Of 20 replies one wins, 3,4."
      },
      {
        "link": "moves=2,2.1,2.2,1.2,3.3,3.1,3.3,4.1,1",
        "text": "The fourth: of 18 replies one wins, 1,0."
      },
      {
        "link": "moves=2,2.1,2.2,1.2,3.3,3.1,3.3,4.1,1.1,0.0,0",
        "text": "The fifth, and the last in the book. Of 16 replies one wins, 2,0."
      },
      {
        "link": "moves=2,2.1,2.2,1.2,3.3,3.1,3.3,4.1,1.1,0.0,0.2,0",
        "text": "Black has found all five, and wins by half a point. One wrong reply on the way would have been enough for White."
      }
    ]
  }
];
