// Made of notation/texts.py and notation/forms.toml by `python -m tools.reading_js`.
// @ts-nocheck mypy checks the types of the source.

export const FORMS = {"most":{"text":200000,"line":2000,"form":600,"lines":1500,"words":2000,"depth":12,"brackets":100000},"fold":{" ":"\t\u000b\f               　﻿","\n":"\r\u2028\u2029","'":"‘’´\u0060","\"":"“”„«»","-":"‐‑‒–—−","+":"➕","x":"●⚫黒黑","o":"○⚪白",".":"·┼╋",",":"、，",":":"："},"parts":{"neutral":"()[]{}<>|/\u0060'\"“”„«»,;:*_=~$&+-","quoted":60,"most":5},"rows":[{"signs":[".","x#b@","ow","+"],"point":"(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))"},{"signs":["_-","x#b@","ow","+"],"point":"[-_x#b@ow+]"},{"signs":["+","x#b@","ow",""],"point":"[+x#b@ow]"},{"signs":["0","1","2",""],"point":"[012][.]?"}],"state":{"S":{"next":{"_":"S","/":"S",",":"S","(":"S",")":"F","e":"N","n":"N","B":"M","W":"M","d":"R","v":"F","P":"F",">":"S"},"wanted":"write i,j from 0,0 to 4,4, a vertex such as C3, or PASS"},"N":{"next":{"_":"N","B":"M","W":"M","d":"R","v":"F","P":"F","(":"N"},"wanted":"write a move after the number"},"M":{"next":{"_":"M","/":"M",">":"M","(":"M",")":"M","d":"R","v":"F","P":"F",",":"M"},"wanted":"write a move after the side"},"R":{"next":{"_":"R",",":"K","d":"R","v":"F","P":"F","B":"M","W":"M"},"wanted":"a number alone is not a point: write i,j from 0,0 to 4,4, a vertex such as C3, or PASS"},"K":{"next":{"_":"L","d":"A"},"wanted":"write the column after the row"},"L":{"next":{"_":"L","d":"Z"},"wanted":"write the column after the row"},"A":{"next":{"_":"S","/":"S",",":"C","(":"S",")":"F",".":"Y",">":"S"},"wanted":"write a blank between two moves"},"Z":{"next":{"_":"Y","/":"S",",":"D","(":"S",")":"F",".":"Y",">":"S"},"wanted":"write a blank between two moves"},"Y":{"next":{"_":"Y","/":"S",",":"D","(":"S",")":"F","e":"N","n":"N","B":"M","W":"M","d":"R","v":"F","P":"F",">":"S"},"wanted":"write a move"},"C":{"next":{"_":"S","/":"S","(":"S","B":"M","W":"M","v":"F","P":"F",")":"F"},"wanted":"more than two numbers in a row: write pairs i,j with a blank, a bracket or a line between them"},"D":{"next":{"_":"D","/":"S","(":"S","B":"M","W":"M","v":"F","P":"F","e":"N","n":"N"},"wanted":"more than two numbers in a row: write pairs i,j in brackets, or without blanks in them"},"F":{"next":{"_":"S","/":"S",",":"S",")":"F","(":"S","v":"F",".":"S","B":"M","W":"M",">":"S"},"wanted":"write a blank between two moves"}},"columns":{"number":["ply","number","no","no.","nr","#","n","move_number"],"side":["colour","color","player","side","piece","stone","who","mover"],"row":["row","i","r"],"column":["col","column","j","c"],"move":["move","vertex","point","coord","coordinate","pos","position"]},"keys":{"moves":["moves"],"black":["black","b","ab","blackstones","stonesblack"],"white":["white","w","aw","whitestones","stoneswhite"],"ko":["ko"],"ply":["ply"],"passed":["passed"],"plies":["plies"],"komi":["komi"],"key":["key"],"position":["position"],"turn":["turn"],"mover":["tomove","toplay","side","mover","next","nextplayer","nexttomove","nexttoplay","currentplayer","sidetomove","sidetoplay","playertomove","activeplayer"],"size":["size","boardsize","boardxsize","boardysize","sz"],"xy":["width","height"],"rows":["board","rows","grid","state","cells","matrix","goban"],"first":["firstplayer"],"initial":["initialplayer"],"nothing":["analyzeturns","initialstones","initialposition","initialstate","handicap","setup","freehandicapplacement"],"ours":["winner","reason","staffagent","staffcolor","seed","detail","margin","final","cpu","killed","byclock","identities","inexact","number","seconds","again","digest"],"harmless":["value","lo","hi","bestmove","nodes","sources","source","notread","id","rules","name","names","comment","comments","date","day","by","elo","rating","blackelo","whiteelo","time","best","bestline","pv","likely","alike","lost","lostleast","lostmost","replies","holding","open","lofrom","hifrom","winnerfrom","why","result","score","note","notes","title","event","site","place","round","players","blackname","whitename","playerblack","playerwhite","author","annotator","url","file","version","created","tags","status","exact","theme","difficulty","puzzle","solved","gameid","uuid","timestamp","sourcefile","ruleset","maxvisits","includeownership","mistakes","worth","stake","end","blackplayer","whiteplayer"]},"refuse":{"long-line":["damaged","<0> goes on for {1} signs: delete the line"],"many-lines":["damaged","it has {0} lines: give the position alone"],"board-beside":["ambiguous","there is a board next to it: keep only the one that you ask about"],"moves-beside":["ambiguous","<0> has moves next to a position: keep only the one that you ask about"],"few-rows":["damaged","{0} rows of a board: give 5 rows of 5 points: . empty, X Black, O White, + ko"],"two-boards":["ambiguous","{0} rows of a board: keep only the 5 rows of the board that you ask about"],"no-answer":["damaged","it asks a program for a move, and the answer is missing: write the move with play"],"unknown-command":["ambiguous","<0> is not a known command to a Go program: delete the line"],"size":["not-5x5","a board of size {0}, but only 5 is possible here"],"two-lines":["ambiguous","<0> and <1> are two texts of moves: give only one"],"no-move":["damaged","it contains no moves: give moves such as 2,2 1,1 PASS"],"text-ends":["not-a-move","the text ends: {0}"],"half-marked":["ambiguous","<0> is before only some of the moves: name the side of each move, or of no move; stones are listed as “Black: C3 D4” and “White: B4”"],"numbers":["damaged","the numbers count neither the moves nor pairs of them: moves are missing, or White moves first; delete the numbers"],"json-more":["damaged","not JSON: there is more text after it: give a single object"],"json-object":["damaged","give a JSON object instead of {0}"],"json-word":["damaged","not JSON: <0> is not a value: write a text in quotation marks"],"json-early":["damaged","not JSON: it ends too early"],"json-deep":["damaged","not JSON that can be read: more than {0} levels"],"two-in-json":["ambiguous","it has {0} and {1}: keep only the one that you ask about"],"no-position":["damaged","not a position: give moves, or key, or black, white and ply"],"list-of-points":["damaged","black and white: give a list of points for both, or a set of points for both"],"json-board":["damaged","board: give five rows of 5 points: . empty, X Black, O White, or 0, 1 and 2"],"moves-kind":["damaged","moves: give a text, or a list of moves"],"stones-and-lists":["ambiguous","it has stones and lists of stones: keep only the one that you ask about"],"other-size":["not-5x5","<0> names another size: only 5x5 is possible here"],"moves-twice":["ambiguous","<0> lets one side move twice: state the side to move"],"contradicts":["ambiguous","<0> contradicts another line: delete the wrong one"],"decides":["ambiguous","<0> {1}, and is not read: {2}"],"before-ours":["ambiguous","<0> is before a line of a printed board: delete these words"],"two-signs":["ambiguous","<0> and <1> on one board: use one sign for each side"],"stones-counted":["ambiguous","a line around the board counts {0} stones of a side, and there are {1}: delete that line"],"last-stone":["ambiguous","the last move that a line names is not a stone of that side on the board: delete that line"],"command-failed":["ambiguous","<0> says that a command failed: delete both lines"],"words-beside":["not-a-move","<0> is next to a line of moves: keep only the one that you ask about"],"table-columns":["damaged","<0> has {1} columns, and the first line {2}"],"table-row":["not-a-move","<0> is not a row of a table of moves"],"word":["not-a-move","<0>: {1}"],"no-word":["not-a-move","<0> is not a move: {1}"],"stone-twice":["ambiguous","it lists stones by colour: list each point once, without numbers and PASSes"],"variation":["ambiguous","some moves are in brackets and some are not: delete the variation, which is not a move"],"wrong-colour":["wrong-colour","{0} before move {1}, which is {2}'s: begin with Black's move, and write PASS for a missing move"],"half-marked-line":["ambiguous","<0> names a side before some moves only: name it before all, or none"],"json-sign":["damaged","not JSON: <0> is not a value"],"unknown-key":["ambiguous","its key <0> is not known, and could change the answer: delete it, or name it note"],"setup":["ambiguous","<0>: it begins with stones on the board: give the position after them instead"],"both-colours":["unreachable","a point has a black and a white stone"],"integer":["damaged","<0> must be an integer, not <1>"],"ko-number":["damaged","'ko' must be a point number or null, not <0>"],"passed-value":["damaged","'passed' must be true or false, not <0>"],"rows-beside":["ambiguous","<0> is next to its rows: delete it"],"json-move":["not-a-move","<0> is not a move: write a text such as \"2,2\", or row and column"],"column-row":["ambiguous","its moves may be column and row: give them as vertices such as \"C3\""],"komi-twice":["ambiguous","--komi occurs twice"],"row-numbers":["damaged","its rows have the numbers {0}: number them in order"],"many-words":["too-long","more than {0} words: a game has 24 moves at most"],"json-comma":["damaged","not JSON: a comma or a closing bracket is missing"],"json-name":["damaged","not JSON: write a name in quotation marks and a colon"],"size-of":["not-5x5","<0>: a board of size <1>, but only 5 is possible here"],"plies-komi":["damaged","its plies and komi are not numbers: <0>"],"no-side":["ambiguous","<0> is not a side: write B or W"],"key-digits":["damaged","the key <0> has lost digits in another program: give it as a text in quotation marks"],"flat-numbers":["not-a-move","<0> alone is not a point: write a text such as \"2,2\", or row and column in brackets"],"unknown-part":["ambiguous","the link's part <0> is not known, and could change the answer: delete it"],"other-key":["ambiguous","its key is of another position: delete one of the two"],"key-kind":["damaged","key: give a number of at most 61 bits, as a text in quotation marks"],"missing":["damaged","<0> is missing: a position has black, white and ply, and may have ko and passed"],"no-answer-move":["damaged","<0> is not a move: write the move with play"],"brackets":["damaged","a bracket has no partner: delete it, or write the missing one"],"resized":["ambiguous","boardsize may empty the board: delete the line, or the moves before it"],"plays-no-move":["not-a-move","<0> plays no move: write play B C3"],"twice":["ambiguous","<0>: it occurs twice: delete one of the two"],"white-first":["ambiguous","White moves first in it, and here Black does: give the position after the first moves"],"position-kind":["damaged","position: give black, white and ply in it"],"too-long":["damaged","longer than {0} signs: give the position alone"],"many-brackets":["damaged","more than {0} variations and games: give one game alone"],"many-games":["damaged","{0} games are too many: at most {1} at once"],"stones-and-moves":["ambiguous","its moves lead to another position than its stones show: delete one of the two"],"moves-and-board":["ambiguous","its moves lead to another position than its last board shows: delete one of the two"],"boards-apart":["unreachable","no move leads to its last board from the one before: delete all boards but the last"],"over-and-more":["ambiguous","one line shows a game that is over, and another one that continues: delete one of them"],"ply-and-side":["ambiguous","after {0} plies it is the other side's move: delete one of the two"],"no-ko":["ambiguous","no ko is possible at {0}, which a line names: delete that line"],"not-over":["ambiguous","a line says that the game is over, and the position is not at its end: delete that line"],"other-side":["ambiguous","a line names {0} as the side to move, and it is not: delete that line"],"other-ply":["ambiguous","a line names ply {0}, and the position is at ply {1}: delete that line"],"other-pass":["ambiguous","a line and the position differ about a PASS: delete that line"],"other-stones":["ambiguous","a line counts other stones than the position has: delete that line"],"two-links":["ambiguous","it has two links that differ: keep only the one that you ask about"],"other-rules":["ambiguous","<0> has a komi, a size or a side to move in it, which is not read: give it beside the position"],"no-key":["damaged","<0> is not a key: give a number of at most 61 bits"],"off-board":["off-board","<0> is off the board: write i,j from 0,0 to 4,4, a vertex such as C3, or PASS"],"one-move":["not-a-move","{0} moves in <1> instead of one: write i,j from 0,0 to 4,4, a vertex such as C3, or PASS"],"json-text":["damaged","not JSON: <0> is not a text"]},"form":["moves","GTP commands","stones by colour","a log","a drawn board","input.txt","SGF","JSON","a key","a link"],"line":[{},{},{},{},{},{},{},{},{},{},{},{"where":"board"},{"where":"board"},{},{},{},{},{},{},{},{},{"where":"board"},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{"where":"moves"},{"where":"moves"},{},{"where":"moves"},{"where":"moves"},{"where":"moves"}],"decides":[{"what":"names a side","remedy":"say it as “White to move”, or delete the line"},{"what":"speaks of a turn","remedy":"say it as “White to move”, or delete the line"},{"what":"names a size","remedy":"delete the line if the board is 5x5"},{"what":"names a komi, a handicap or a length","remedy":"give --komi or --plies, and delete the line"},{"what":"says how points are counted","remedy":"delete the line if rows count from the top and 0,0 is the top left corner"},{"what":"counts plies or moves","remedy":"give --ply, and delete the line"},{"what":"speaks of captures, a ko or a PASS","remedy":"give --ply, and delete the line"},{"what":"says that the game is over","remedy":"delete the line"},{"what":"names a move beside the board","remedy":"delete the line, or draw the board after that move"},{"what":"has a number that could be a ply","remedy":"give --ply, and delete the line"},{"what":"shows another board or other moves","remedy":"keep only the one that you ask about"},{"what":"is in a script that is not read here","remedy":"delete the line, or say it as “White to move”"}],"token":[{"kind":"_"},{"kind":"/"},{"kind":"e"},{"kind":"n"},{"kind":"B"},{"kind":"W"},{"kind":"v"},{"kind":"d"},{"kind":"P"},{"kind":","},{"kind":"("},{"kind":")"},{"kind":">"},{"kind":"."},{"kind":"?"}],"patterns":{"line0":"rules: \\{[^\\n]*\\}|hash: [0-9a-f]{1,40} +ko-hash: [0-9a-f]{1,40}|(?:black|white) time: [0-9:]{1,12}","line1":"(?<heading>)(?<alone>)(?<ply><N>) of (?<plies><N>) plies played, (?:(?<dark>black) [(]x[)]|(?<light>white) [(]o[)]) to move(?<passed>, after a pass)?(?:; komi (?<komi><KOMI>))?[.]","line2":"(?<printed>)(?<alone>)(?<ply><N>) of (?<plies><N>) plies played, (?:(?<dark>black)|(?<light>white)) to move[.](?: (?<ko>[0-4],[0-4]) is forbidden by ko[.])?(?<passed> the last ply was a pass: another one ends the game[.])?(?: this is the last ply[.])?","line3":"(?<heading>)(?<over>)the game(?: of (?<plies><N>) plies)? is over(?:; komi (?<komi><KOMI>))?[.]","line4":"(?<over>)the game is over after (?:ply <N>|the last move)[.]","line5":"(?<heading>)(?<over>)the game has ended: [bw][+][0-9]{1,2}(?:[.][0-9])?","line6":"(?<heading>)ply (?<ply><N>) of (?<plies><N>), (?:(?<dark>black)|(?<light>white)) to move","line7":"game: (?<plies><N>) plies, komi (?<komi><KOMI>)","line8":"ply (?<next><N>) of (?<plies><N>); x (?<on_black>[0-9]{1,2}) : o (?<on_white>[0-9]{1,2}) [+] (?<komi><KOMI>)","line9":"(?<heading>)ply (?<next><N>): (?:(?<dark>black)|(?<light>white)) plays <PRINTED>, (?:costs|loses) [0-9]{1,2}(?: points?)?(?: or more)?(?: and the win)?(?: [(][a-z ]{1,40}[)]?)?[.]?","line10":"(?<heading>)it begins after ply (?<ply><N>) with (?:(?<dark>black)|(?<light>white)) to move:","line11":"(?<ours>)(?:proven|bounds|value|searched|evaluated|book|not proven|not in the book|best moves?(?:, worth the same)?|our player plays|line|atlas|certificate|before|after|likely|trap|principal variation|best replies|why|the result|a move that wins|nothing is proven|lost against best play|rule|better|the answer|instead|turning point|biggest mistake|mistakes|result|win|a line that keeps (?:what is proven|the proven bounds)|its moves|the position|rules|store|kernel|search|line|exact)(?: [^:\\n]{0,80})?:[^\\n]*","line12":"(?<ours>)(?:in the book, undecided[.]|no best move is known[.]|all moves lose; which one is best is not known[.]|rules: [^\\n]*|our player plays [^\\n]{1,60}|move +result(?: +[a-z ]{3,60})?|<PRINTED>(?: [(]also [^)\\n]{1,60}[)])? +[bw=?][^\\n]*)","line13":"<OPEN><COLOUR>,? (?:to (?:move|play)(?: (?:and|to) win)?(?: (?:now|next))?|(?:plays|moves|is) next|is to (?:move|play)|on (?:the )?move|has the move|begins|starts)(?:,? ?[(]?(?:(?:at |after )?ply (?<ply><N>)|(?:after )?(?<ply2><N>) (?:plies|moves)(?: played)?|move (?<next><N>)|komi (?<komi><KOMI>))[)]?)?<CLOSE>","line14":"<OPEN><COLOUR>\\x27s? (?:turn|move)(?: to (?:move|play))?(?: now)?(?:,? ?[(]?(?:ply (?<ply><N>)|(?<ply2><N>) (?:plies|moves)(?: played)?|move (?<next><N>))[)]?)?<CLOSE>","line15":"<OPEN>(?:(?:next|current|active)[ _]?(?:player|color|colour|side|turn)|player to (?:move|play)|next to (?:move|play)|next|to[ _-]?(?:move|play)|turn|side[ _]?to[ _]?(?:move|play)|side|mover|colou?r(?: to (?:move|play))?|player|piece[_ ]?type|who(?:se)? (?:turn|moves|move is it))(?: is)? ?[:=]? ?<SIDE>(?: to (?:move|play))?<CLOSE>","line16":"move ?[:=] ?(?:(?<dark><DARK>)|(?<light><LIGHT>))<CLOSE>","line17":"<OPEN>(?:next: [a-z]{1,12}[?] )?no, <COLOUR> to (?:move|play)<CLOSE>","line18":"(?:black|white) ?[(:] ?[a-z_]{1,20}[)]?(?:,| against| vs[.]?| versus| -) ?(?:black|white) ?[(:] ?[a-z_]{1,20}[)]?[,.;] ?<COLOUR> to (?:move|play)<CLOSE>","line19":"<OPEN>(?:you are|you play|you\\x27re|i am|i\\x27m|i play)(?: as)? <COLOUR>[.,;!]? (?:and )?(?:it is |it\\x27s )?(?:your|my) (?:move|turn)(?: now)?<CLOSE>","line20":"<OPEN>(?<last><POINT>)? ?(?:(?<last_dark><DARK>|x)|(?<last_light><LIGHT>|o)) (?:has )?(?:just )?(?:play(?:ed|s)|moved) (?:at |on |to )?(?<point><POINT>)[,;.:] ?(?:and |so |now )?(?:it is |it\\x27s )?<COLOUR>(?: (?:to (?:move|play)|is to (?:move|play)|(?:plays|moves) (?:next|now))|\\x27s (?:turn|move))<CLOSE>","line21":"<OPEN>(?<alone>)(?:(?<last_dark><DARK>|x)|(?<last_light><LIGHT>|o)) (?:has )?(?:just )?(?<stop>pass(?:ed|es)?)(?:[,;.] ?(?:and |so )?<COLOUR> to (?:move|play))?<CLOSE>","line22":"<OPEN><COLOUR> to (?:move|play)[,;.]? (?:after|the last (?:move|ply) was) (?:a )?(?<passed>pass)(?: by (?:black|white))?<CLOSE>","line23":"(?<dark>x)番<CLOSE>|(?<light>o)番<CLOSE>","line24":"(?:次は|手番(?:は)? ?[:=]? ?|轮到|輪到|该|下一手(?:是)? ?[:=]? ?)(?:(?<dark>x)|(?<light>o))(?:棋|方|番|の番)?(?:走|下|落子|です)?<CLOSE>","line25":"(?:(?<dark>x)|(?<light>o))(?:棋|方)?(?:の番|先|走|下|落子|の手番|先行)(?:です|棋)?<CLOSE>","line26":"(?:(?<dark>흑)|(?<light>백)) ?(?:차례|번|선|이 둘 차례|둘 차례)(?:입니다)?<CLOSE>","line27":"<OPEN>(?:(?:ist )?am zug(?: ist)? ?[:=]? ?|an der reihe ?[:=]? ?|es zieht |trait (?:aux? )?|tour (?:des |aux? )?|au tour (?:des |de )?|c\\x27est (?:aux? )?|turno(?: de| del)?(?: las?| los)? ?[:=]? ?|(?:juegan|mueven|juega|mueve)(?: las?| los)? |le toca (?:a )?|muove |tocca (?:al? )?|gioca(?:no)? |turno (?:del )?|mossa (?:al )?|vez (?:das? |dos? )|jogam (?:as )?|ход |очередь )<COLOUR>(?: de jouer| jouer)?<CLOSE>","line28":"<OPEN><COLOUR> (?:(?:ist )?am zug|ist dran|zieht|spielt|beginnt|ist an der reihe|à jouer|a jouer|jouent|joue|au trait|de jouer|(?:juegan?|mueven?)|al turno|a jugar|muove|gioca|al tratto|jogam?|a jogar|aan zet|is aan de beurt|ходят|ходит|начинают|на ходу)<CLOSE>","line29":"<OPEN>(?:ply|plies played|ply[ _]?(?:count|number)|move[ _]?count|moves? played|moves so far) ?[:=]? ?(?<ply><N>)(?: of (?<plies><N>))?<CLOSE>","line30":"<OPEN>(?:after )?(?<ply><N>) (?:plies|half-moves|halfmoves)(?: played| have been played)?<CLOSE>|<OPEN>after ply (?<ply2><N>)<CLOSE>","line31":"<OPEN>(?:move|ply) ?#? ?(?<next><N>)[,:;]? [(]?(?:- )?<COLOUR>(?: to (?:move|play))?<CLOSE>","line32":"<OPEN>after (?:ply )?(?<ply><N>)(?: plies| moves)?[,:;] ?<COLOUR>(?: to (?:move|play)|\\x27s (?:turn|move))<CLOSE>","line33":"komi ?[:=]? ?(?<komi><KOMI>)[.]?","line34":"(?:game|length|plies in the game) ?[:=]? ?(?<plies><N>) plies[.]?","line35":"ko(?: point)? ?[:=] ?(?<ko><VERTEX>|[0-4],[0-4])","line36":"ko(?: point)? ?[:=] ?(?:none|no|-|null)","line37":"(?:(?:board|board ?size|position|size|the board|sz) ?[:=]?)?(?: ?(?<size>[0-9]{1,2}) ?[x*×] ?(?<size2>[0-9]{1,2}))(?: board)? ?:?|(?:board ?size|size|sz|n) ?[:=]? ?(?<size3>[0-9]{1,2})","line38":"<OPEN>(?:the )?(?:board|position|current (?:board|position|state)|state|goban)(?: is| now)? ?:?<CLOSE>","line39":"(?<last_dark>black)(?: has)? captured (?<whites><N>) <STONES>(?:,? <COLOUR> to (?:move|play))?<CLOSE>|(?<last_light>white)(?: has)? captured (?<blacks><N>) <STONES>(?:,? (?:(?<dark2>black)|(?<light2>white)) to (?:move|play))<CLOSE>","line40":"white [(]o[)] has captured (?<blacks><N>) <STONES>","line41":"black [(]x[)] has captured (?<whites><N>) <STONES>","line42":"(?<alone>)last move ?[:=]? ?(?:by )?(?:(?<last_dark>black|b|x)|(?<last_light>white|w|o)) (?:(?<stop><PASS>)|(?<point><POINT>))","line43":"(?:= ?)?movenum: (?<ply><N>) hash: [0-9a-f]{1,64}","line44":"b stones captured: (?<blacks><N>)","line45":"w stones captured: (?<whites><N>)","line46":"prisoners: b (?<blacks><N>) {1,2}w (?<whites><N>)","line47":"(?<alone>)passes: (?:(?<stop>[1-9])|0) +black [(]x[)] prisoners: (?<whites><N>)","line48":"(?:(?<dark>black [(]x[)])|(?<light>white [(]o[)])) to move +white [(]o[)] prisoners: (?<blacks><N>)","line49":"move: +(?<ply><N>) +komi: +(?<komi><KOMI>) +handicap: +0 +captures b: +(?<whites><N>) w: +(?<blacks><N>)","line50":"gostate[(]komi=(?<komi><KOMI>), to_play=(?:(?<dark>b)|(?<light>w)), history[.]size[(][)]=(?<ply><N>)[)]","line51":"[^ \\n]*https?://[^ \\n]+|-{4,}input \"exit\" to exit the program-{4,}|x stands for black chess, o stands for white chess[.]|(?:the )?winner (?:is|:) (?:x|o|black|white|none)[.]?|the game is a tie[.]?","line52":"\\[(?:event|site|date|round|white|black|result|annotator) \"[^\"\\n]*\"\\]|\u0060\u0060\u0060[a-z]*|~~~|=|[-+*_= |]{3,}|(?:(?:on|am|le|el) [^\\n]{1,100} )?(?:wrote|schrieb|a écrit|escribió|ha scritto):|(?:from|sent|date|to|cc): [^\\n]{0,100}|(?:hi|hello|thanks|thank you|regards|cheers|please help|help)[ a-z]{0,16}[.,!]?","line53":"(?:[$] ?)?(?:uvx |uv run |pipx run )?(?:[^ \\n]{0,40}/)?(?:little-go|python3? -m [a-z_]{1,12}) (?:query|review)<WISH>{0,4} (?:--moves[= ])?(?:\"(?<moves>[^\"\\n]*)\"|\\x27(?<moves2>[^\\x27\\n]*)\\x27)<WISH>{0,4}(?: --(?:plies[= ](?<plies><N>)|komi[= ](?<komi><KOMI>)))?<WISH>{0,4}(?: --(?:komi[= ](?<komi2><KOMI>)|plies[= ](?<plies2><N>)))?<WISH>{0,4}(?: --ply[= ](?<stop_ply><N>))?<WISH>{0,4}","line54":"(?:little-go )?query (?<moves>[^\"\\x27\\n-]*)(?: --ply[= ](?<stop_ply><N>))?","line55":"--moves[= ](?:\"(?<moves>[^\"\\n]*)\"|\\x27(?<moves2>[^\\x27\\n]*)\\x27|(?<moves3>[^\"\\x27\\n]*))(?: --(?:plies[= ](?<plies><N>)|komi[= ](?<komi><KOMI>)))?(?: --(?:komi[= ](?<komi2><KOMI>)|plies[= ](?<plies2><N>)))?","line56":"(?:moves|game) ?[:=] *(?<moves>[^:\\n]*)","line57":"(?:better|instead|the answer|best line|line|principal variation) ?[:=] *(?<moves>[^:\\n]*)","line58":"after (?:ply )?(?<ply><N>)(?: plies| moves)?: *(?<moves>[^:\\n]*)","line59":"<moves>(?<moves>[^<>\\n]*)</moves>","line60":"black(?: {1,4}| ?[,;|] ?)white","line61":"(?<columns>[a-z_#.]{1,12}(?: {1,4}| ?[,;|] ?)[a-z_#.]{1,12}(?:(?:(?: {1,4}| ?[,;|] ?)[a-z_#.]{1,12}){0,6}))","line62":"(?<label>(?:(?:my|the|our|a|wrong|right|best|main|his|her) )?(?:mistake|moves|line|sequence|record|kifu|answer|pv|solution|opening|example|variation|game|position)s?): *(?<moves>(?:[^:\\n]*[0-9][^:\\n]*)?)","decides0":"(?<![a-z])(?:blacks?|whites?|player ?[12]|schwarz|wei(?:ss|ß)|noirs?|blancs?|blanch?[ao]s?|negr[ao]s?|ner[oi]|bianc(?:o|a|hi|he)|pret[ao]s?|branc[ao]s?|zwarte?|witte?|svart|vit|sort|hvid|czarn[ey]|biał[ey]|bílý|černý|fekete|beyaz|siyah)(?![a-z])|(?<![a-z0-9])[xobw](?![a-z0-9])|ч[её]рн|бел|흑|백","decides1":"(?<![a-z])(?:turn|to[ _-]?(?:move|play)|(?:moves?|plays?|goes|player) (?:next|first|second|now)|next|your move|my move|whose|first player|second player|zug|dran|trait|jou(?:e|er|ent)|turno|jueg[ao]n?|mueven?|toca|gioca|muove|tocca|tratto|jogam?|vez|zet|beurt|colou?rs?|swapped|mover)(?![a-z])|番|手|走|轮|輪|차례|ход","decides2":"(?<![0-9])[0-9]{1,2} ?(?:[x×*]|by) ?[0-9]{1,2}(?![0-9])|[0-9]{1,2}[ -]lines?(?![a-z])|board ?size|(?<![a-z])size(?![a-z])","decides3":"(?<![a-z])(?:komi|handicap|rules?|ruleset)(?![a-z])|(?<![a-z])(?:km|sz|ha|pl|ru) ?\\[","decides4":"(?<![a-z])(?:rows?|columns?|bottom|top|left|right|origin|corner|1-based|one-based|0-based|zero-based|(?:x|y) ?(?:first|then|and|,)|reversed|backwards?) (?:[a-z]|[0-9])[^\\n]*","decides5":"(?<![a-z])(?:ply|plies|moves? (?:number|no|nr|count|played)|[0-9]+ ?(?:moves|stones|turns|steps|half)|(?:moves?|turn|round|step|count|stones|coup|zug|jugada|mossa|lance) ?[#:=(]? ?[0-9])|(?<![a-z])(?:after|t|n) ?[=:]? ?[0-9]","decides6":"captur|prison|(?<![a-z])ko(?![a-z])|(?<![a-z])pass(?:ed|es)?(?![a-z])|(?<![a-z])(?:passe|pasa|pasó|passa)(?![a-z])","decides7":"(?<![a-z])(?:game over|over|ended|end of the game|finished|resign(?:ed|s)?|invalid)(?![a-z])","decides8":"(?<![^\\n])[^?\\n]*(?<![a-z0-9])(?:<VERTEX>|<PAIR>)(?![a-z0-9])[^?\\n]*(?![^\\n])|(?<![a-z])(?:last (?:move|ply|stone)|previous|undo|rotated|mirrored|flipped|transposed|upside[ -]?down)(?![a-z])","decides9":"(?<![0-9])[0-9]{1,2} ?/ ?[0-9]{1,2}(?![0-9/])|(?<=[a-zß-ÿ=#:(] )[0-9]{1,2}(?![0-9a-z:/.,+-])|(?<=[=#:(])[0-9]{1,2}(?![0-9a-z:/.,+-])|(?<![0-9a-z:/.,+-])[0-9]{1,2}(?= [a-zß-ÿ])","decides10":"(?<![0-9a-z])(?:[0-9]{12,20}|0x[0-9a-f]{8,16})(?![0-9a-z])|\"(?:moves|black|white|ply|key|board)\" ?:|(?<![0-9])[012]{5}(?![0-9])|(?<![^\\n])(?:[-.+_xo#] ?){4,25}(?![^\\n])","decides11":"[\\u0370-\\u1fff\\u2c00-\\ud7ff\\uf900-\\ufaff]","row0":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))(?:[ |()\"\\x27,]*(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row1":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[-_x#b@ow+](?:[ |()\"\\x27,]*[-_x#b@ow+]){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row2":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[+x#b@ow](?:[ |()\"\\x27,]*[+x#b@ow]){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row3":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[012][.]?(?:[ |()\"\\x27,]*[012][.]?){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","blank":"[ |()\\[\\]{}\"\\x27,;]*","head":"[ |]*(?:(?<ours>0[ |]*1[ |]*2[ |]*3[ |]*4|1[ |]*2[ |]*3[ |]*4[ |]*5)|a[ |]*b[ |]*c[ |]*d[ |]*e)[ |]*(?<rest> {2,}[^ ][^\\n]*)?","sensei":"[$][$](?:(?<dark>b)|(?<light>w))?[0-9]{0,3}(?:m[0-9]{1,3})?c?(?![a-z0-9])","mover":"(?<dark>b|x)|(?<light>w|o)","part":"[ |]*(?:[0-9] +)?(?:[.x#ow+][ |]*){3,}(?:(?<= )[0-9](?: [^\\n]*)?)?","dashes":"-{10}","shown":"(?:[xo ] ){0,4}[xo ]? ?","piece":"[^/\\]}]+[\\]}]*","makes":"(?:(?<dark>x|black|player ?1)|(?<light>o|white|player ?2)) makes? (?:a )?move(?:[.]{0,3})","log_move":"(?:(?:move|ply) (?<number><N>) ?[:.] ?|(?<number2><N>)[.:)] ?)?(?:(?:(?<dark>x|b|black|player ?1)|(?<light>o|w|white|player ?2))(?:\\x27s)?(?: (?:move|moves|plays|played|input|places|put)(?: at| on| to)?)? ?(?::|->)? ?)?(?<point><MOVE>)[.]?","start":"start +[bw=?][^\\n]*","listed":"(?<number><N>) (?:(?<dark>x)|(?<light>o)) (?<point><PRINTED>) {2,}[bw=?][^\\n]*","named":"(?:player ?[12] ?(?::|->) ?|(?:move|ply) <N> ?[:.] ?(?:(?:x|b|black|o|w|white)(?: |: ?))?|player ?[12](?:\\x27s)? (?:move|moves|plays|played)(?: at)? ?:? ?)<MOVE>[.]?","play":"(?:gtp> ?)?(?:[0-9]{1,9} +)?play +(?:(?<dark>black|b)|(?<light>white|w)) +(?<point><SPOT>|<PASS>)(?: *#[^\\n]*)?","genmove":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:genmove|kgs-genmove_cleanup|lz-genmove_analyze|kata-genmove_analyze) +(?:(?<dark>black|b)|(?<light>white|w))(?: [^\\n]*)?","other":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:(?<undo>undo)|(?<clear>clear_board)|boardsize +(?<size>[0-9]{1,3})|komi +(?<other_komi>-?[0-9]{1,3}(?:[.][0-9]{1,3})?)|(?<harmless>name|version|protocol_version|showboard|quit|list_commands|known_command|final_score|time_settings|time_left|reg_genmove|clear_cache|estimate_score|final_status_list|list_stones|captures|move_history|player_params|policy_params|rect)(?: [^\\n]*)?)(?: *#[^\\n]*)?","answer":"=[0-9]{0,9} *(?<said>[^\\n]*)","failed":"[?][0-9]{0,9}(?: [^\\n]*)?","played":"(?<point><SPOT>|<PASS>)","pass":"<PASS>","script":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:play +(?:black|white|b|w) +[a-z]|genmove +(?:black|white|b|w))[^\\n]*","anyplay":"(?:gtp> ?)?(?:[0-9]{1,9} +)?play [^\\n]*","comment":"#[^\\n]*","prefix":"[ >]*(?:[$][$](?= ))?(?:<[a-z0-9_]{1,20}> |\\[[0-9:]{4,8}\\] (?:<[a-z0-9_]{1,20}> |[a-z0-9_]{1,20}: )?)?","name":"[a-z][a-z ]{0,20}: ","blanks":" *","hex":"0x[0-9a-f]{1,7}","json_side":"(?:(?<dark>b|black|x|1|black[(]x[)])|(?<light>w|white|o|2|white[(]o[)]))","json_token":"\"(?:[^\"\\\\\\n]|\\\\[^\\n])*\"|-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|[\\[\\]{},:]","cell":"[^,;| ]+","token":"(?<k0>[\"\\x27 *]+|(?:row ?[=:]?|(?:r|i) ?[=:]) ?(?=[0-9] ?[,;]? ?(?:column|col|c|j))|point(?=[(]))|(?<k1>[\\n;|]+)|(?<k2>[0-9]{1,3} ?[.]{3})|(?<k3>(?<![,])(?<!, )[0-9]{1,3}[.)]+(?=[^0-9]|[0-9] *,)|#[0-9]{1,3}[.:)]?|(?<![,:{0-9])(?<!, )[0-9]{1,3}:(?= ))|(?<k4>(?:black|b|x|ab|noirs?|schwarz|negras?|negro|nero|pretas?|preto|zwart)(?::|(?![a-z0-9_])|(?=[0-9],[0-9](?![a-z0-9_,]|(?: *,)))|(?=[a-hj-z][1-5](?![a-z0-9_]))))|(?<k5>(?:white|w|o|aw|blancs?|wei(?:ss|ß)|blancas?|blanco|bianco|brancas?|branco|wit)(?::|(?![a-z0-9_])|(?=[0-9],[0-9](?![a-z0-9_,]|(?: *,)))|(?=[a-hj-z][1-5](?![a-z0-9_]))))|(?<k6><SPOT>(?=<SPOT>|(?![a-z0-9_])))|(?<k7>[+-]?[0-9]{1,9}(?![a-z0-9_.]))|(?<k8>(?:<PASS>|tt|パス|null)(?![a-z0-9_]))|(?<k9>(?<=[0-9 ])[,;]? ?(?:(?:column|col) ?[=:]?|(?:c|j) ?[=:]) ?(?=[0-9])|,)|(?<k10>[(\\[{])|(?<k11>[)\\]}])|(?<k12>-*>)|(?<k13>[.])|(?<k14>[^ \"\\x27\\n,;()|\\[\\]{}]+)"},"macros":{"N":"[0-9]{1,3}","KOMI":"-?[0-9]{1,2}(?:[.][0-9]{1,2})?","DARK":"(?:black(?: ?[(][xb#][)]| player| stones?)?|player ?1(?: [(]black(?: [(]x[)])?[)])?|schwarz|(?:aux |les )?noirs?|(?:las |los )?(?:negras?|negros?)|(?:il )?(?:nero|neri)|(?:as )?(?:pretas?|preto)|zwart|ч[её]рн(?:ые|ых|ый)|흑)","LIGHT":"(?:white(?: ?[(][ow][)]| player| stones?)?|player ?2(?: [(]white(?: [(]o[)])?[)])?|wei(?:ss|ß)|(?:aux |les )?blancs?|(?:las |los )?(?:blancas?|blancos?)|(?:il )?(?:bianco|bianchi)|(?:as )?(?:brancas?|branco)|wit|бел(?:ые|ых|ый)|백)","COLOUR":"(?:(?<dark><DARK>|x|b|#)|(?<light><LIGHT>|o|w))","SIDE":"(?:(?<dark><DARK>|x|b|#|1)|(?<light><LIGHT>|o|w|2))","STONES":"(?:stones?|pieces?)","VERTEX":"(?:[a-e][1-5])","SPOT":"(?:[a-hj-z][0-9]{1,2})","PAIR":"[0-4] ?, ?[0-4]","WISH":"(?: --(?:json|csv|full|(?:live|table|nodes|only|why|svg|sgf|html)[= ][\"\\x27]?[^ \\n\"\\x27]{1,80}[\"\\x27]?))","PASS":"(?:pass)","POINT":"(?:<VERTEX>|[(]?<PAIR>[)]?)","MOVE":"(?:[(\\[]?<PAIR>[)\\]]?|<VERTEX>|<PASS>)","PRINTED":"(?:[0-4],[0-4]|<PASS>)","OPEN":"[-(\\[* |#>=~_:]{0,6}(?:(?:and )?(?:it is now |it is |it\\x27s now |it\\x27s |now |so )?)","CLOSE":"[-)\\]*.!?:; |#<=~_]{0,6}"}};

export const reading = (() => {
  const among = (all, one) => (Array.isArray(all) ? all.includes(one) : Object.hasOwn(all, one));
  const STOP = 25;
  function has(a,b) {
    return among(a, b)&&a[b]!==null;
  }
  function side_of(a,b,c) {
    if (has(a,b)) {
      return 0;
    }
    if (has(a,c)) {
      return 1;
    }
    return -1;
  }
  function move_of(p,a,b) {
    let c,d,e;
    if (p.match("pass",a)!==null) {
      return STOP;
    }
    if (p.holds(",",a)) {
      c=p.digits(a);
      e=[p.number(c.slice(0,1)),p.number(c.slice(1,2))];
    } else {
      e=[(5-p.number(a.slice(1))),"abcdefghjklmnopqrstuvwxyz".indexOf(a.slice(0,1))];
    }
    d=p.point(e[0],e[1],b);
    return d;
  }
  function facts_of(p,a,b,c) {
    let d,e,f,g;
    d={};
    for (g of ["ply","plies","blacks","whites","on_black","on_white"]) {
      if (has(a,g)) {
        d[g]=p.number(a[g]);
      }
    }
    if (has(a,"ply2")) {
      d.ply=p.number(a.ply2);
    }
    if (has(a,"plies2")) {
      d.plies=p.number(a.plies2);
    }
    if (has(a,"next")) {
      d.ply=(p.number(a.next)-1);
    }
    f=Math.max(side_of(a,"dark","light"),side_of(a,"dark2","light2"));
    if (f>=0) {
      d.mover=f;
    }
    for (g of ["komi","komi2"]) {
      if (has(a,g)) {
        if (has(d,"komi")&&d.komi!==p.decimal(a[g])) {
          p.refuse("komi-twice",c,[]);
        }
        d.komi=p.decimal(a[g]);
      }
    }
    for (g of ["size","size2","size3"]) {
      if (has(a,g)&&p.number(a[g])!==5) {
        p.refuse("other-size",c,[p.original(c,b.length)]);
      }
    }
    for (g of ["heading","printed"]) {
      if (among(a, g)) {
        d[g]=true;
      }
    }
    e=side_of(a,"last_dark","last_light");
    if (e>=0) {
      if (f===e) {
        p.refuse("moves-twice",c,[p.original(c,b.length)]);
      }
      d.mover=(1-e);
      if (has(a,"point")) {
        d.last=((2*move_of(p,a.point,c))+e);
      }
    }
    if (has(a,"ko")) {
      d.ko=move_of(p,a.ko,c);
    }
    if (among(a, "over")) {
      d.over=true;
    } else if (among(a, "alone")) {
      d.passed=has(a,"passed")||has(a,"stop");
    } else if (has(a,"passed")) {
      d.passed=true;
    }
    return d;
  }
  function add_facts(p,a,b,c,d) {
    let e;
    for (e of p.names(b)) {
      if (has(a,e)&&a[e]!==b[e]) {
        p.refuse("contradicts",d,[p.original(d,c.length)]);
      }
      a[e]=b[e];
    }
  }
  function form_of(p,a,b) {
    let c,d,e;
    c=p.table.line;
    if (a.length>p.table.most.form&&!(p.holds("--moves",a))) {
      return null;
    }
    for (e=0;e<c.length;e++) {
      if (!among(c[e], "where")||c[e].where===b) {
        d=p.match(`line${e}`,a);
        if (d!==null) {
          return d;
        }
      }
    }
    return null;
  }
  function refuse_deciding(p,a,b) {
    let c,d,e,f,g;
    c=p.table.decides;
    if (a.length>p.table.most.line) {
      p.refuse("long-line",b,[a,a.length]);
    }
    g=p.single_blanks(a);
    for (d=0;d<c.length;d++) {
      f=p.search(`decides${d}`,g);
      if (f>=0) {
        e=c[d];
        p.refuse("decides",b,[p.original(b,a.length),e.what,e.remedy]);
      }
    }
  }
  function lines_of(p,a,b) {
    let c,d,e,f,g;
    d=[];
    c=b;
    f=a.split("\n");
    if (f.length>p.table.most.lines) {
      p.refuse("many-lines",-1,[f.length]);
    }
    for (e of f) {
      g=p.begins("prefix",e);
      d.push({begin: (c+g),text: p.trim_end(e.slice(g)),whole: e,at: c});
      c += (e.length+1);
    }
    return d;
  }
  function said(p) {
    return {form: "",moves: null,places: [],black: 0,white: 0,ko: null,facts: {},taken: [],left: [],notes: []};
  }
  function read_text(p,a) {
    let b,c,d,e,f,g;
    c=p.fold(a);
    e=lines_of(p,c,0);
    if (is_script(p,e)) {
      return read_script(p,e);
    }
    for (g of [read_shown,read_review]) {
      d=g(p,e);
      if (d!==null) {
        return d;
      }
    }
    b=rows_of(p,e);
    if (b.rows.length>0) {
      return read_drawn(p,e,b);
    }
    f=read_log(p,e);
    if (f!==null) {
      return f;
    }
    return read_moves_in(p,e,c);
  }
  function read_around(p,a) {
    let b,c,d,e,f;
    d=p.fold(a);
    f=lines_of(p,d,0);
    if (rows_of(p,f).rows.length>0) {
      p.refuse("board-beside",-1,[]);
    }
    b=said(p);
    for (e of f) {
      c=p.begins("blanks",e.text);
      read_beside(p,b,e.text.slice(c),(e.begin+c),"board");
    }
    return b;
  }
  function read_mover(p,a) {
    let b,c,d,e,f,g,h,i,j;
    f=p.fold(a);
    b=said(p);
    for (h of lines_of(p,f,0)) {
      d=p.begins("blanks",h.text);
      j=h.text.slice(d);
      c=(h.begin+d);
      g=form_of(p,j,"board");
      if (g!==null) {
        e=facts_of(p,g,j,c);
        if (has(e,"mover")) {
          add_facts(p,b.facts,{mover: e.mover},j,c);
        }
      } else if (p.search("decides0",j)>=0&&p.search("decides1",p.single_blanks(j))>=0) {
        i=p.table.decides[0];
        p.refuse("decides",c,[p.original(c,j.length),i.what,i.remedy]);
      }
    }
    if (has(b.facts,"mover")) {
      return b.facts.mover;
    }
    return null;
  }
  function read_beside(p,a,b,c,d) {
    let e,f,g,h;
    if (p.match("blank",b)!==null) {
      return;
    }
    e=form_of(p,b,d);
    g=among(a.facts, "heading")||among(a.facts, "printed");
    if (e!==null&&among(e, "ours")&&!(g)) {
      e=null;
    }
    if (e===null) {
      h=p.begins("name",b);
      f=(h>0?form_of(p,b.slice(h),d):null);
      if (f!==null&&among(f, "heading")) {
        p.refuse("before-ours",c,[p.original(c,h)]);
      }
    }
    if (e!==null&&(has(e,"moves")||has(e,"moves2")||has(e,"moves3"))) {
      p.refuse("moves-beside",c,[p.original(c,b.length)]);
    }
    if (e!==null) {
      a.taken.push([c,(c+b.length)]);
      add_facts(p,a.facts,facts_of(p,e,b,c),b,c);
      a.is_ours=(g&&among(e, "ours"))||among(e, "heading");
      return;
    }
    if (has_moves(p,b,c)) {
      p.refuse("moves-beside",c,[p.original(c,b.length)]);
    }
    refuse_deciding(p,b,c);
  }
  function rows_of(p,a) {
    let b,c,d,e,f,g,h,i,j,k,l,m;
    c=[];
    k=p.table.rows;
    for (g=0;g<k.length;g++) {
      l=k[g].signs;
      j=[];
      for (f of a) {
        for (i of rows_in(p,f,g)) {
          j.push(i);
        }
      }
      d=false;
      m=false;
      for (i of j) {
        d=d||p.any_of((l[0]+l[3]),i.signs);
        m=m||p.any_of(((l[1]+l[2])+l[3]),i.signs);
      }
      if ((g<3||j.length>2)&&((j.length===5&&(d||g===0))||(d&&m)||(j.length>5&&g!==1&&d))) {
        c.push({signs: l,rows: j});
      }
    }
    if (c.length===0) {
      for (f of a) {
        if (p.holds(".",f.text)&&p.match("part",f.text)!==null) {
          p.refuse("few-rows",f.begin,[0]);
        }
      }
      return {signs: [],rows: []};
    }
    e=c[0];
    for (b of c) {
      if (b.rows.length===5&&e.rows.length<5) {
        e=b;
      }
    }
    h=e.rows.map((i)=>i.begin);
    for (b of c) {
      for (i of b.rows) {
        if (!among(h, i.begin)) {
          h.push(i.begin);
        }
      }
    }
    if (h.length!==5) {
      p.refuse((h.length>5?"two-boards":"few-rows"),-1,[h.length]);
    }
    return e;
  }
  function rows_in(p,a,b) {
    let c,d,e,f,g,h,i,j,k;
    j=[];
    k=a.text;
    if (k.length>p.table.most.line) {
      return j;
    }
    h=p.pieces(k);
    for (e=0;e<h.length;e++) {
      g=h[e][1];
      f=e===(h.length-1);
      d=null;
      if (g.length<=p.table.most.form) {
        d=p.match(`row${b}`,g);
        if (d===null&&f&&j.length>0&&p.holds(" ",g)) {
          d=p.match(`row${b}`,g.slice(0,(g.indexOf(" ")+1)));
        }
      }
      if (d!==null&&has(d,"number")&&has(d,"number2")&&d.number!==d.number2) {
        d=null;
      }
      if (d!==null) {
        c=(a.begin+h[e][0]);
        i=(has(d,"number")?d.number:null);
        j.push({begin: c,end: (c+d.end),signs: p.signs(d.points,b),number: i});
      } else if (p.match("blank",g)===null) {
        return (f?j:[]);
      }
    }
    return j;
  }
  function read_drawn(p,a,b) {
    let c,d,e,f,g,h,i,j,k,l,m;
    c=said(p);
    c.form="board";
    g=false;
    for (i of a) {
      m=i.text;
      d=i.begin;
      f=-1;
      for (k of b.rows) {
        if (d<=k.begin&&k.begin<=(d+m.length)) {
          f=Math.max(f,k.end);
          c.taken.push([k.begin,k.end]);
        }
      }
      if (f>=0) {
        m=m.slice((f-d));
        d=f;
      } else {
        h=p.match("head",m);
        l=p.begins("sensei",m);
        if (l>0) {
          add_facts(p,c.facts,facts_of(p,p.match("sensei",m.slice(0,l)),m,d),m,d);
        } else if (h!==null) {
          g=g||!(has(h,"ours"));
          l=(m.length-(has(h,"rest")?h.rest.length:0));
        }
        if (l>0) {
          c.taken.push([d,(d+l)]);
          m=m.slice(l);
          d += l;
        }
      }
      e=p.begins("blanks",m);
      m=m.slice(e);
      d += e;
      j=(f>=0?p.match("mover",m):null);
      if (j!==null) {
        c.taken.push([d,(d+m.length)]);
        add_facts(p,c.facts,facts_of(p,j,m,d),m,d);
      } else if (among(c, "is_ours")&&c.is_ours&&(d-i.at)>=2&&form_of(p,m,"board")===null) {
        c.taken.push([d,(d+m.length)]);
      } else {
        c.is_ours=false;
        read_beside(p,c,m,d,"board");
      }
    }
    take_stones(p,c,b,g);
    return c;
  }
  function take_stones(p,a,b,c) {
    let d,e,f,g,i,j,l,m,n,o,q,r;
    l=b.rows;
    g=l.filter((k)=>k.number!==null).map((k)=>p.number(k.number));
    if (g.length>0) {
      o=(g.at(-1)-g[0]);
      for (e=0;e<g.length;e++) {
        if (g.length!==5||(o!==4&&o!==-4)||g[e]!==(g[0]+Math.floor((e*o) / 4))) {
          f=g.map((h)=>String(h)).join(", ");
          p.refuse("row-numbers",l[0].begin,[f]);
        }
      }
    }
    n=l.map((k)=>k.signs).join("");
    q=[0,0];
    i=[];
    for (j=0;j<25;j++) {
      for (m=0;m<2;m++) {
        if (p.holds(n[j],b.signs[(1+m)])) {
          q[m]=(q[m]|(1<<j));
        }
      }
      if (b.signs[3]!==""&&n[j]===b.signs[3]) {
        i.push(j);
      }
    }
    for (m=0;m<2;m++) {
      r=p.signs_used(l.map((k)=>p.original(k.begin,(k.end-k.begin))),b.signs[(1+m)]);
      if (r.length>1) {
        p.refuse("two-signs",l[0].begin,[r[0],r[1]]);
      }
    }
    a.black=q[0];
    a.white=q[1];
    d=a.facts;
    if (i.length===1&&!(has(d,"ko"))) {
      if (c&&!among(d, "heading")) {
        a.notes.push("a + of another program's board is read as an empty point");
      } else {
        a.ko=i[0];
      }
    }
    check_stones(p,a);
  }
  function check_stones(p,a) {
    let b,c,d,e,f;
    c=a.facts;
    for (e=0;e<2;e++) {
      b=p.count((e===1?a.white:a.black));
      d=(e===1?"on_white":"on_black");
      if (has(c,d)&&c[d]!==b) {
        p.refuse("stones-counted",-1,[c[d],b]);
      }
    }
    if (has(c,"last")) {
      f=((c.last%2)===1?a.white:a.black);
      if (((f>>Math.floor(c.last / 2))&1)===0) {
        p.refuse("last-stone",-1,[]);
      }
    }
    if (has(c,"ko")) {
      a.ko=c.ko;
    }
  }
  function read_shown(p,a) {
    let b,c,d,e,f,g,h,i,j,k,l,m,n,o,q,r,s,t,u,v;
    b=said(p);
    f=[];
    m=[];
    r=-1;
    d=false;
    k=0;
    while (k<a.length) {
      o=a[k];
      v=p.trim(o.text);
      e=((k+6)<a.length?shown_at(p,a,k):null);
      c=(o.begin+o.text.indexOf(v));
      if (e!==null) {
        f.push(e);
        n=a[(k+6)];
        b.taken.push([o.at,(n.at+n.whole.length)]);
        b.facts.mover=(r>=0?(1-r):0);
        r=(r>=0?2:-1);
        k += 7;
        continue;
      }
      k += 1;
      q=(v.length<=p.table.most.form?p.match("makes",v):null);
      h=(v.length<=p.table.most.form?p.match("log_move",v):null);
      if (q!==null) {
        r=side_of(q,"dark","light");
        d=d||(r===0&&f.length===0);
        b.facts.mover=r;
        b.taken.push([o.begin,(o.begin+o.text.length)]);
      } else if (h!==null&&(r===0||r===1)) {
        m.push(item_of(move_of(p,h.point,c),c,r,null));
        b.taken.push([c,(c+v.length)]);
      } else if ((v!==""&&f.length===0&&(k+6)<a.length)||(v!==""&&p.match("dashes",v)===null)) {
        b.left.push([v,c]);
      }
    }
    if (f.length===0) {
      return null;
    }
    s=b.facts.mover;
    j=r>=0;
    if (!(j)) {
      p.drop(b.facts,"mover");
    }
    for (t of b.left) {
      read_beside(p,b,t[0],t[1],"board");
    }
    b.black=f.at(-1).black;
    b.white=f.at(-1).white;
    b.form="board";
    g=f[0];
    i=d&&g.white===0&&p.count(g.black)===1;
    l=i||((g.black|g.white)===0&&f.length>1);
    if (m.length>0&&l) {
      take_line(p,b,m,0);
      b.shown=true;
    } else if (l&&j) {
      add_facts(p,b.facts,{ply: (f.length-(i?0:1))},"its number of boards",-1);
    } else if (j) {
      b.facts.mover=s;
    }
    if (j&&f.length>1&&m.length===0) {
      u=f.at(-1).black===f.at(-2).black&&f.at(-1).white===f.at(-2).white;
      add_facts(p,b.facts,{passed: u},"its last boards",-1);
      if (!(u)) {
        b.before=[f.at(-2).black,f.at(-2).white];
      }
    }
    b.taken=p.in_order(b.taken);
    check_stones(p,b);
    return b;
  }
  function shown_at(p,a,b) {
    let c,d,e,f,g;
    if (p.match("dashes",a[b].text)===null||p.match("dashes",a[(b+6)].text)===null) {
      return null;
    }
    c={black: 0,white: 0};
    for (e=0;e<5;e++) {
      g=a[((b+1)+e)].whole;
      if (p.match("shown",g)===null) {
        return null;
      }
      for (d=0;d<5;d++) {
        f=g.slice((2*d),((2*d)+1));
        if (f==="x") {
          c.black=(c.black|(1<<((5*e)+d)));
        } else if (f==="o") {
          c.white=(c.white|(1<<((5*e)+d)));
        }
      }
    }
    return c;
  }
  function read_log(p,a) {
    let b,c,d,e,f,g,h,i,j,k,l;
    e=false;
    for (g of a) {
      if (g.text.length<=p.table.most.form) {
        e=e||p.match("named",p.trim(g.text))!==null;
      }
    }
    if (!(e)) {
      return null;
    }
    b=said(p);
    b.form="moves";
    f=[];
    for (g of a) {
      l=p.trim(g.text);
      if (l==="") {
        continue;
      }
      c=(g.begin+g.text.indexOf(l));
      d=(l.length<=p.table.most.form?p.match("log_move",l):null);
      if (d===null) {
        read_beside(p,b,l,c,"board");
      } else {
        h=side_of(d,"dark","light");
        k=null;
        for (j of ["number","number2"]) {
          if (has(d,j)) {
            k=p.number(d[j]);
          }
        }
        i=move_of(p,d.point,c);
        f.push(item_of(i,c,(h<0?null:h),k));
        b.taken.push([c,(c+l.length)]);
      }
    }
    take_line(p,b,f,0);
    return b;
  }
  function read_review(p,a) {
    let b,c,d,e,f,g,h;
    b=said(p);
    e=[];
    c=false;
    for (f of a) {
      h=p.trim(f.text);
      if (h.length>p.table.most.form) {
        continue;
      }
      d=(c?p.match("listed",h):null);
      if (p.match("start",h)!==null) {
        c=true;
      } else if (d!==null) {
        g=move_of(p,d.point,f.begin);
        e.push(item_of(g,f.begin,side_of(d,"dark","light"),p.number(d.number)));
      }
    }
    if (e.length===0) {
      return null;
    }
    b.taken.push([0,(a.at(-1).at+a.at(-1).whole.length)]);
    take_line(p,b,e,0);
    return b;
  }
  function item_of(a,b,c,d) {
    return {move: a,at: b,mark: c,number: d,half: false,colon: false,own: false,depth: 0};
  }
  function is_script(p,a) {
    let b;
    for (b of a) {
      if (b.text.length<=p.table.most.form&&p.match("script",p.trim(b.text))!==null) {
        return true;
      }
    }
    return false;
  }
  function read_script(p,a) {
    let b,c,d,e,f,g,h,i,j,k;
    b=said(p);
    b.form="moves";
    g=[];
    c=null;
    f=false;
    for (h of a) {
      k=p.trim(h.text);
      d=(h.begin+h.text.indexOf(k));
      if (k==="") {
        f=false;
        continue;
      }
      e=command_of(p,k);
      if (e!==null) {
        f=false;
        b.taken.push([d,(d+k.length)]);
        if (c!==null) {
          p.refuse("no-answer",c.at,[]);
        }
        if (has(e,"point")) {
          g.push(item_of(move_of(p,e.point,d),d,side_of(e,"dark","light"),null));
        } else if (side_of(e,"dark","light")>=0) {
          c={mark: side_of(e,"dark","light"),at: d};
        } else {
          g=after_other(p,b,g,e,d);
        }
        continue;
      }
      j=p.match("answer",k);
      if (p.match("failed",k)!==null) {
        p.refuse("command-failed",d,[k]);
      }
      if (j!==null) {
        f=true;
        b.taken.push([d,(d+k.length)]);
        if (c!==null) {
          i=p.match("played",p.trim(j.said));
          if (i===null) {
            p.refuse("no-answer-move",d,[k]);
          }
          g.push(item_of(move_of(p,i.point,d),d,c.mark,null));
          c=null;
        }
      } else if (p.match("comment",k)===null&&!(f)) {
        if (p.match("anyplay",k)!==null) {
          p.refuse("plays-no-move",d,[k]);
        }
        refuse_command(p,b,k,d);
      }
    }
    if (c!==null) {
      p.refuse("no-answer",c.at,[]);
    }
    take_line(p,b,g,0);
    return b;
  }
  function refuse_command(p,a,b,c) {
    let d;
    d=form_of(p,b,"board");
    if (d===null||has(d,"moves")) {
      p.refuse("unknown-command",c,[b]);
    } else {
      read_beside(p,a,b,c,"board");
    }
  }
  function command_of(p,a) {
    let b,c;
    if (a.length>p.table.most.form) {
      return null;
    }
    for (c of ["play","genmove","other"]) {
      b=p.match(c,a);
      if (b!==null) {
        return b;
      }
    }
    return null;
  }
  function after_other(p,a,b,c,d) {
    if (has(c,"undo")) {
      return b.slice(0,(b.length-1));
    }
    if (has(c,"clear")) {
      return [];
    }
    if (has(c,"size")&&p.number(c.size)!==5) {
      p.refuse("size",d,[c.size]);
    }
    if (has(c,"size")&&b.length>0) {
      p.refuse("resized",d,[]);
    }
    if (has(c,"other_komi")) {
      a.other_komi=p.decimal(c.other_komi);
    }
    return b;
  }
  function read_moves_in(p,a,b) {
    let c,d,e,f,g,h,i,j,k,l,m,n,o,q,r,s;
    c=said(p);
    g=[];
    l=[];
    k=[];
    h=[];
    for (m of a) {
      f=p.begins("blanks",m.text);
      s=m.text.slice(f);
      d=(m.begin+f);
      if (s==="") {
        continue;
      }
      i=form_of(p,s,"moves");
      if (i!==null&&has(i,"columns")) {
        h=(l.length===0?columns_of(p,i.columns):[]);
        if (h.length===0) {
          i=null;
        }
      }
      if (i===null) {
        l.push({at: d,text: s});
        continue;
      }
      e=d;
      if (has(i,"label")) {
        k.push({at: d,text: i.label});
        e=((d+i.label.length)+1);
      }
      c.taken.push([e,(d+s.length)]);
      add_facts(p,c.facts,facts_of(p,i,s,d),s,d);
      if (has(i,"stop_ply")) {
        c.stop=p.number(i.stop_ply);
      }
      for (n of ["moves","moves2","moves3"]) {
        if (has(i,n)&&(i[n]!==""||p.holds("--moves",s))) {
          r=(has(i,"label")?(s.indexOf(": ")+1):0);
          g.push({at: ((d+r)+s.slice(r).indexOf(i[n])),text: i[n]});
        }
      }
    }
    if (k.length>1) {
      p.refuse("two-lines",k[1].at,[k[1].text,k[0].text]);
    }
    for (o of k) {
      refuse_deciding(p,o.text,o.at);
    }
    if (g.length>0) {
      if (g.length>1||l.length>0) {
        q=(l.length>0?l[0]:g[1]);
        p.refuse("words-beside",q.at,[q.text]);
      }
      l=g;
    }
    if (l.length===0&&g.length===0) {
      p.refuse("no-move",-1,[]);
    }
    j=tuple_items(p,l);
    if (h.length>0) {
      j=table_items(p,l,h);
    } else if (j.length===0) {
      j=items_of(p,joined(p,l,b),0);
    }
    if (j.length===0&&g.length===0) {
      p.refuse("no-move",-1,[]);
    }
    for (o of l) {
      if (g.length===0) {
        c.taken.push([o.at,(o.at+o.text.length)]);
      }
    }
    c.taken=p.in_order(c.taken);
    take_items(p,c,j,0);
    return c;
  }
  function joined(p,a,b) {
    let c,d;
    d="";
    for (c of a) {
      d += (p.blanks((c.at-d.length))+c.text);
      if (d.length<b.length) {
        d += "\n";
      }
    }
    return d;
  }
  function columns_of(p,a) {
    let b,c,d;
    d=[];
    for (b of p.cells(a)) {
      c=p.role("columns",b);
      if (c==="move"&&among(d, "move")&&d[0]==="move"&&d.length<3) {
        d[0]="number";
      }
      if (c===""||among(d, c)) {
        return [];
      }
      d.push(c);
    }
    if (among(d, "row")&&among(d, "column")) {
      if (among(d, "move")&&!among(d, "number")) {
        d[p.index_of(d,"move")]="number";
      }
      return d;
    }
    return (among(d, "move")?d:[]);
  }
  function table_items(p,a,b) {
    let c,d,e,f,g,h,i,j,k,l,m,n;
    g=[];
    for (h of a) {
      e=p.cells(h.text);
      if (among(b, "move")&&e.length===(b.length+1)) {
        f=p.index_of(b,"move");
        i=[];
        for (k=0;k<b.length;k++) {
          c=(k<f?e[k]:e[(k+1)]);
          i.push((k===f?`${e[f]},${c}`:c));
        }
        e=i;
      }
      l=p.original(h.at,h.text.length);
      if (e.length!==b.length) {
        p.refuse("table-columns",h.at,[l,e.length,b.length]);
      }
      m="";
      for (j of ["number","side","row","column","move"]) {
        for (f=0;f<b.length;f++) {
          if (b[f]===j) {
            d=e[f];
            if (j==="side"&&(d==="1"||d==="2")) {
              d=(d==="1"?"b":"w");
            }
            m += (j==="number"?`${d}.`:(j==="column"?`,${d}`:` ${d}`));
          }
        }
      }
      n=p.outcome(items_of,m,h.at);
      if (n.fault==="off-board") {
        p.refuse("off-board",h.at,[l]);
      }
      if (n.items.length!==1) {
        p.refuse("table-row",h.at,[l]);
      }
      n.items[0].at=h.at;
      g.push(n.items[0]);
    }
    return g;
  }
  function tuple_items(p,a) {
    let b,c,d,e,f,i,k,l,m;
    l=p.tuples(a.map((g)=>g.text).join("\n"));
    c=l.length>=5;
    m=[l.length>=6,l.length>=6];
    for (e=0;e<l.length;e++) {
      k=l[e].map((h)=>h[0]);
      c=c&&k[0]===(e+1);
      m=[m[0]&&k[0]===(1+(e%2)),m[1]&&k[2]===(1+(e%2))];
    }
    if ([c,m[0],m[1]].filter((j)=>j).length!==1) {
      return [];
    }
    d=(m[1]?0:1);
    f=[];
    for (i of l) {
      b=place_of(a,i[d][1]);
      f.push(item_of(p.point(i[d][0],i[(d+1)][0],b),b,null,null));
    }
    return f;
  }
  function place_of(a,b) {
    let c,d;
    c=0;
    while (b>a[c].text.length) {
      b -= (a[c].text.length+1);
      c += 1;
    }
    d=(a[c].at+b);
    return d;
  }
  function has_moves(p,a,b) {
    let c,d;
    d=p.outcome(items_of,a,b);
    c=d.items.length>0||d.fault==="off-board";
    return c;
  }
  function items_of(p,a,b) {
    let c,d,e,f,g,h,i,j,k,l,m,n,o,q,r;
    n=p.table.state;
    i=[];
    m="S";
    h=item_of(0,0,null,null);
    l=0;
    e=0;
    g=0;
    f=0;
    d=0;
    while (d<a.length) {
      o=p.token(a,d);
      j=o[0];
      r=o[1];
      q=(b+d);
      if (g>0&&j==="/"&&p.holds("\n",r)) {
        j="_";
      }
      if (!(p.holds(j,"_/"))) {
        f += 1;
        if (f>p.table.most.words) {
          p.refuse("many-words",q,[p.table.most.words]);
        }
      }
      c=(among(n[m].next, j)?n[m].next[j]:"");
      if (r==="null"&&g===0) {
        c="";
      }
      if (c==="") {
        k=(j==="?"?"no-word":"word");
        p.refuse(k,q,[p.original(q,r.length),n[m].wanted]);
      }
      if (j==="(") {
        g += 1;
      } else if (j===")") {
        g -= 1;
        if (g<0) {
          p.refuse("brackets",q,[]);
        }
      } else if (j==="n"||j==="e") {
        h.number=p.number(r);
        h.half=j==="e";
      } else if (j==="B"||j==="W") {
        if (h.mark!==null) {
          p.refuse("word",q,[r,n.M.wanted]);
        }
        if (m==="R") {
          h.number=l;
        }
        h.mark=(j==="B"?0:1);
        h.colon=p.holds(":",r);
        h.list=p.holds("a",r.slice(0,1));
      } else if (j==="d"&&c==="R") {
        if (m==="R") {
          if (h.number!==null) {
            p.refuse("word",q,[r,n.R.wanted]);
          }
          h.number=l;
        }
        l=p.number(r);
        e=d;
      } else if (j==="d"||j==="v"||j==="P") {
        if (j!=="d") {
          if (m==="R") {
            h.number=l;
          }
          e=d;
        }
        if (j==="v") {
          h.move=move_of(p,r,q);
        } else if (j==="d") {
          h.move=p.point(l,p.number(r),(b+e));
        } else {
          h.move=STOP;
        }
        h.at=(b+e);
        h.own=p.is_between(a,e,(d+r.length));
        h.round=h.own&&p.holds(p.before(a,e),"(");
        h.depth=(g-(h.own&&p.holds(p.before(a,e),"([{")?1:0));
        i.push(h);
        h=item_of(0,0,null,null);
      }
      m=c;
      d += r.length;
    }
    if (g>0) {
      p.refuse("brackets",(b+a.length),[]);
    }
    if (!(p.holds(m,"SAZYCDF"))||h.number!==null||h.mark!==null) {
      p.refuse("text-ends",(b+a.length),[n[m].wanted]);
    }
    return i;
  }
  function take_items(p,a,b,c) {
    let d,e,f,g,h;
    check_brackets(p,b);
    f=b.filter((d)=>d.mark!==null).map((d)=>d.mark);
    e=b.filter((d)=>d.mark!==null&&among(d, "list")&&d.list);
    if (e.length===0&&(f.length===0||(f.length===b.length&&!(is_by_colour(p,b))))) {
      take_line(p,a,b,c);
      return;
    }
    if (c>0||!(are_lists(p,b))) {
      p.refuse("half-marked",b[0].at,[p.side_name(f[0])]);
    }
    a.form="board";
    h=[0,0];
    g=0;
    for (d of b) {
      if (d.mark!==null) {
        g=d.mark;
      }
      if (d.move===STOP||d.number!==null||(((h[0]|h[1])>>d.move)&1)===1) {
        p.refuse("stone-twice",d.at,[]);
      }
      h[g]=(h[g]|(1<<d.move));
    }
    a.black=h[0];
    a.white=h[1];
    a.notes.push("read as stones on the board, listed by colour, and not as moves");
    check_stones(p,a);
  }
  function is_by_colour(p,a) {
    return a.length===2&&a[0].mark===1&&a[1].mark===0&&a[0].colon&&a[1].colon;
  }
  function are_lists(p,a) {
    let b,c,d,e;
    if (a[0].mark===null) {
      return false;
    }
    c=[0,0];
    e=-1;
    b=true;
    for (d of a) {
      if (d.mark!==null) {
        e=d.mark;
        if (c[e]>0) {
          return false;
        }
        b=b&&d.colon;
      }
      c[e] += 1;
    }
    return b||(c[0]>=2&&c[1]>=2);
  }
  function check_brackets(p,a) {
    let b,c,d;
    for (c of a) {
      b=a[0];
      d=(b.move===STOP?a.at(-1):b);
      if (c.depth!==b.depth||(c.move!==STOP&&d.move!==STOP&&c.own!==d.own)) {
        p.refuse("variation",c.at,[]);
      }
    }
  }
  function take_line(p,a,b,c) {
    let d,e,f,g,h,i,j,k;
    check_brackets(p,b);
    j=true;
    i=true;
    h=false;
    for (d=0;d<b.length;d++) {
      f=b[d];
      k=(c+d);
      if (f.mark!==null&&f.mark!==(k%2)) {
        g=p.side_name(f.mark);
        p.refuse("wrong-colour",f.at,[g,(k+1),p.side_name((1-f.mark))]);
      }
      h=h||f.number!==null;
      if (f.number!==(k+1)||f.half) {
        j=false;
      }
      e=f.number===(Math.floor(k / 2)+1)&&f.half===((k%2)===1);
      if (!(e)&&!((k%2)===1&&f.number===null)) {
        i=false;
      }
    }
    if (h&&!(j)&&!(i)) {
      p.refuse("numbers",b[0].at,[]);
    }
    a.form="moves";
    a.moves=b.map((f)=>f.move);
    a.places=b.map((f)=>f.at);
  }
  function read_line_of_moves(p,a,b,c) {
    let d,f;
    d=said(p);
    f=items_of(p,p.fold(a),0);
    if (c) {
      take_items(p,d,f,b);
    } else {
      if (!among([0,f.length], f.filter((e)=>e.mark!==null).length)) {
        p.refuse("half-marked-line",-1,[a]);
      }
      take_line(p,d,f,b);
    }
    return d;
  }
  function read_json(p,a) {
    let b;
    b=value_at(p,tokens_of(p,a),0,0);
    if (b.next<tokens_of(p,a).length) {
      p.refuse("json-more",b.end,[]);
    }
    if (b.kind!=="object") {
      p.refuse("json-object",-1,[b.kind]);
    }
    return read_object(p,b);
  }
  function read_record(p,a) {
    let b,c;
    c=value_at(p,tokens_of(p,a),0,0);
    b=said(p);
    if (c.kind==="object") {
      take_facts(p,b,roles_of(p,b,c));
    }
    return b;
  }
  function tokens_of(p,a) {
    let b,c,d;
    d=p.json_tokens(a);
    b=0;
    for (c of d) {
      if (c[2]!==b&&!(p.is_blank(a,b,c[2]))) {
        p.refuse("json-word",b,[a.slice(b,c[2])]);
      }
      b=(c[2]+c[1].length);
    }
    if (!(p.is_blank(a,b,a.length))) {
      p.refuse("json-word",b,[a.slice(b)]);
    }
    return d;
  }
  function value_at(p,a,b,c) {
    let d,e,f,g,h,i,j,k,l,m,n,o;
    if (b>=a.length) {
      p.refuse("json-early",p.text.length,[]);
    }
    if (c>p.table.most.depth) {
      p.refuse("json-deep",a[b][2],[p.table.most.depth]);
    }
    i=a[b][0];
    e=a[b][2];
    if (i!=="{"&&i!=="[") {
      if (i===","||i===":"||i==="}"||i==="]") {
        p.refuse("json-sign",e,[i]);
      }
      o=a[b][1];
      m=(i==="text"?p.unquoted(o,e):o);
      g={kind: i,begin: e,end: (e+o.length),next: (b+1),items: []};
      g.text=m;
      g.word=o;
      return g;
    }
    f=(i==="{"?"}":"]");
    j=(i==="{"?"object":"list");
    h=[];
    k=[];
    d=(b+1);
    while (d>=a.length||a[d][0]!==f) {
      if (h.length>0) {
        if (d>=a.length||a[d][0]!==",") {
          p.refuse("json-comma",(d<a.length?a[d][2]:p.text.length),[]);
        }
        d += 1;
      }
      l=(d<a.length?a[d][2]:p.text.length);
      if (i==="{") {
        if ((d+1)>=a.length||a[d][0]!=="text"||a[(d+1)][0]!==":") {
          p.refuse("json-name",l,[]);
        }
        k.push(p.unquoted(a[d][1],l));
        d += 2;
      }
      n=value_at(p,a,d,(c+1));
      n.pair=l;
      h.push(n);
      d=n.next;
    }
    return {kind: j,begin: e,end: (a[d][2]+1),next: (d+1),items: h,names: k,text: "",word: ""};
  }
  function read_object(p,a) {
    let b,c;
    b=said(p);
    c=roles_of(p,b,a);
    take_facts(p,b,c);
    read_position_in(p,b,c);
    return b;
  }
  function roles_of(p,a,b) {
    let c,d,e,f,g,h,i;
    i={};
    a.taken.push([b.begin,(b.begin+1)]);
    c=(b.begin+1);
    for (d=0;d<b.items.length;d++) {
      f=b.names[d];
      g=b.items[d];
      h=p.role("keys",p.simple(f));
      if (h==="") {
        p.refuse("unknown-key",g.pair,[f]);
      }
      a.taken.push([c,g.pair]);
      c=g.end;
      if (h!=="harmless") {
        a.taken.push([g.pair,g.end]);
      }
      if (h==="moves"&&g.kind==="object") {
        continue;
      }
      if (h==="size"||h==="xy"||h==="nothing") {
        check_nothing(p,h,f,g);
        i[h]=g;
      } else if (h==="harmless"||h==="ours") {
        for (e of (g.kind==="object"?g.names:[])) {
          if (among(["komi","plies","size","nothing","mover","turn","first","initial","ply"], p.role("keys",p.simple(e)))) {
            p.refuse("other-rules",g.pair,[f]);
          }
        }
        continue;
      } else if (among(i, h)) {
        p.refuse("twice",g.pair,[f]);
      } else {
        i[h]=g;
      }
    }
    a.taken.push([c,b.end]);
    return i;
  }
  function check_nothing(p,a,b,c) {
    let e,f,g;
    g=p.trim(c.text);
    if (a!=="nothing") {
      f=(c.kind==="list"?c.items.map((d)=>d.word):[g]);
      for (e of f) {
        if (e!=="5") {
          p.refuse("size-of",c.pair,[b,e]);
        }
      }
    } else if (!((c.kind==="list"&&c.items.length===0)||(among(["","0","null","false"], g)&&c.kind!=="object"&&c.kind!=="list"))) {
      p.refuse("setup",c.pair,[b]);
    }
  }
  function take_facts(p,a,b) {
    let c,d,e,f,g;
    c=a.facts;
    for (e of ["plies","komi"]) {
      if (among(b, e)) {
        g=b[e].word;
        if (b[e].kind!=="number"||(e==="plies"&&!(p.is_whole(g)))) {
          p.refuse("plies-komi",b[e].pair,[g]);
        }
        c[e]=(e==="plies"?p.number_of(g):p.decimal(g));
        c.heading=true;
      }
    }
    if (among(b, "turn")&&b.turn.kind==="number") {
      p.refuse("unknown-key",b.turn.pair,["turn"]);
    }
    for (e of ["mover","turn","first","initial"]) {
      if (among(b, e)&&b[e].word!=="null") {
        g=p.simple(b[e].text);
        d=p.match("json_side",g);
        if (d===null) {
          p.refuse("no-side",b[e].pair,[b[e].text]);
        }
        f=side_of(d,"dark","light");
        if (among(["mover","turn"], e)||(e==="initial"&&!among(b, "moves"))) {
          add_facts(p,c,{mover: f},b[e].text,b[e].pair);
        } else if (f===1) {
          p.refuse("white-first",b[e].pair,[]);
        }
      }
    }
  }
  function read_position_in(p,a,b) {
    let c,d,e,f,g,h,i,j,k;
    c=[];
    d=(among(b, "black")?b.black:null);
    g=d!==null&&(d.kind==="list"||are_stones(p,d));
    h=(among(b, "ply")&&b.ply.kind==="number")||(d!==null&&d.kind!=="text");
    if (g&&d!==null) {
      c.push("stones");
      for (k of ["black","white"]) {
        a[k]=(among(b, k)?stones_listed(p,b[k]):0);
      }
      if ((a.black&a.white)!==0) {
        p.refuse("both-colours",d.pair,[]);
      }
      take_numbers(p,a,b,["ply"]);
      a.form="board";
    } else if (h) {
      c.push("position");
      take_numbers(p,a,b,["black","white","ply"]);
    } else if (among(b, "position")&&b.position.kind==="object") {
      e=read_object(p,b.position);
      if (e.form!=="position"&&e.form!=="board") {
        p.refuse("position-kind",b.position.pair,[]);
      }
      c.push("position");
      for (k of ["black","white","ko","form"]) {
        a[k]=e[k];
      }
      add_facts(p,a.facts,e.facts,"position",b.position.pair);
    }
    if (among(b, "position")&&b.position.kind!=="object") {
      p.refuse("unknown-key",b.position.pair,["position"]);
    }
    if (among(b, "rows")) {
      c.push("rows");
      read_rows_in(p,a,b.rows);
    }
    f=among(b, "moves")&&p.trim(p.fold(b.moves.text))===""&&b.moves.items.length===0;
    if (among(b, "moves")&&!(f&&c.length>0)) {
      read_moves_value(p,a,b.moves,c.length>0,among(b, "xy"));
    }
    if (among(b, "key")) {
      j=b.key;
      if (j.kind==="number"&&!(p.is_whole(j.word))) {
        p.refuse("key-digits",j.pair,[j.word]);
      }
      if (j.kind!=="number"&&j.kind!=="text") {
        p.refuse("key-kind",j.pair,[]);
      }
      if (j.kind==="number"&&p.is_rounded(j.word)) {
        p.refuse("key-digits",j.pair,[j.word]);
      }
      a.key=j.text;
      if (a.form==="") {
        a.form="key";
      }
    }
    for (k of ["ko","passed"]) {
      i=!among(b, k)||a.form==="position"||among(c, "stones");
      if (!(i)&&!among(["null","false"], b[k].word)) {
        p.refuse("unknown-key",b[k].pair,[k]);
      }
    }
    if (c.length>1) {
      p.refuse("two-in-json",-1,[c[0],c[1]]);
    }
    if (a.form==="") {
      p.refuse("no-position",-1,[]);
    }
  }
  function take_numbers(p,a,b,c) {
    let d,e,f;
    for (d of c) {
      if (!among(b, d)) {
        if (d==="ply"&&among(b, "white")) {
          continue;
        }
        if (c.length>1) {
          p.refuse("missing",-1,[d]);
        }
        continue;
      }
      e=b[d];
      f=(d!=="ply"&&p.match("hex",e.text)!==null?e.text:e.word);
      if (f===e.word&&(e.kind!=="number"||!(p.is_whole(f)))) {
        p.refuse("integer",e.pair,[d,e.word]);
      }
      if (d==="ply") {
        a.facts.ply=p.number_of(f);
      } else {
        a[d]=p.number_of(f);
      }
    }
    if (among(b, "ko")&&b.ko.word!=="null") {
      if (b.ko.kind!=="number"||!(p.is_whole(b.ko.word))) {
        p.refuse("ko-number",b.ko.pair,[b.ko.word]);
      }
      a.ko=p.number_of(b.ko.word);
    }
    if (among(b, "passed")) {
      if (!among(["true","false"], b.passed.word)) {
        p.refuse("passed-value",b.passed.pair,[b.passed.word]);
      }
      a.facts.passed=b.passed.word==="true";
    }
    a.form="position";
    if (!(has(a.facts,"ply"))) {
      a.form="board";
    }
  }
  function are_stones(p,a) {
    let b;
    b=a.kind==="text"&&has_moves(p,p.fold(a.text),a.begin);
    return b;
  }
  function stones_listed(p,a) {
    let b,c,d;
    if (a.kind==="text"&&p.trim(a.text)==="") {
      return 0;
    }
    if (a.kind!=="list"&&!(are_stones(p,a))) {
      p.refuse("list-of-points",a.pair,[]);
    }
    d=0;
    c=items_of(p,p.fold(p.original(a.begin,(a.end-a.begin))),a.begin);
    for (b of c) {
      if (b.move===STOP||b.mark!==null||((d>>b.move)&1)===1) {
        p.refuse("stone-twice",b.at,[]);
      }
      d=(d|(1<<b.move));
    }
    return d;
  }
  function read_rows_in(p,a,b) {
    let c,d,e,f,h,i,j,k,l;
    l=p.original(b.begin,(b.end-b.begin));
    c=b.begin;
    f=b.kind==="text";
    if (f) {
      l=b.text;
    } else if (b.kind==="list"&&b.items.length===5&&b.items[0].kind==="text") {
      f=true;
      l=b.items.map((g)=>g.text).join("\n");
    }
    e=p.fold(l);
    i=lines_of(p,e,c);
    d=rows_of(p,i);
    if (f||d.rows.length===0) {
      p.within(l);
      i=lines_of(p,e,0);
      d=rows_of(p,i);
    }
    if (d.rows.length===0) {
      p.refuse("json-board",b.pair,[]);
    }
    for (h of i) {
      j=h.text;
      for (k of d.rows) {
        if (h.begin<=k.begin&&k.begin<=(h.begin+h.text.length)) {
          j=h.text.slice((k.end-h.begin));
        }
      }
      if (p.match("blank",j)===null) {
        p.refuse("rows-beside",b.pair,[p.trim(j)]);
      }
    }
    take_stones(p,a,d,false);
    a.form="board";
    p.within("");
  }
  function read_moves_value(p,a,b,c,d) {
    let e,f,g,h,i,j;
    if (b.kind!=="text"&&b.kind!=="list") {
      p.refuse("moves-kind",b.pair,[]);
    }
    for (g of (b.kind==="list"?b.items:[])) {
      if (g.kind==="text"&&p.trim(g.text)==="") {
        p.refuse("json-move",g.begin,[g.word]);
      }
      if (g.kind==="number") {
        p.refuse("flat-numbers",g.begin,[g.word]);
      }
      if (g.kind==="object"||g.word==="true"||g.word==="false") {
        p.refuse("json-move",g.begin,[g.word]);
      }
    }
    for (g of (b.kind==="list"&&d?b.items:[])) {
      if (g.kind==="list"&&g.items.length>0&&g.items[0].kind==="number") {
        p.refuse("column-row",g.begin,[]);
      }
    }
    if (b.kind==="text") {
      e=b.text;
      p.within(e);
      f=read_line_of_moves(p,e,0,!(c));
      p.within("");
    } else {
      e=p.original(b.begin,(b.end-b.begin));
      h=items_of(p,p.fold(e),b.begin);
      f=said(p);
      take_items(p,f,h,0);
    }
    if (c&&f.form!=="moves") {
      p.refuse("stones-and-lists",b.pair,[]);
    }
    if (c) {
      a.beside=f.moves;
      return;
    }
    a.form=f.form;
    for (i of ["moves","places","black","white"]) {
      a[i]=f[i];
    }
    for (j of f.notes) {
      a.notes.push(j);
    }
  }
  return { read_text,read_around,read_mover,read_beside,read_drawn,read_shown,read_log,read_review,read_script,read_moves_in,items_of,read_line_of_moves,read_json,read_record,read_object,read_position_in,read_rows_in,read_moves_value };
})();
