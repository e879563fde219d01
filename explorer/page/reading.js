// Made of notation/texts.py and notation/forms.toml by `python -m tools.reading_js`: change those.

export const FORMS = {"most":{"text":200000,"line":2000,"form":240,"lines":1500,"words":2000,"depth":12},"fold":{" ":"\t\u000b\f               　﻿","\n":"\r\u2028\u2029","'":"‘’´`","\"":"“”„«»","-":"‐‑‒–—−","+":"➕","x":"●⚫黒黑","o":"○⚪白",".":"·┼╋",",":"、，",":":"："},"rows":[{"signs":[".","x#b@","ow","+"],"point":"(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))"},{"signs":["_-","x#b@","ow","+"],"point":"[-_x#b@ow+]"},{"signs":["+","x#b@","ow",""],"point":"[+x#b@ow]"},{"signs":["0","1","2",""],"point":"[012][.]?"}],"state":{"S":{"next":{"_":"S","/":"S",",":"S","(":"S",")":"F","e":"N","n":"N","B":"M","W":"M","d":"R","v":"F","P":"F",">":"S"},"wanted":"want i,j from 0,0 to 4,4, a vertex such as C3, or PASS"},"N":{"next":{"_":"N","B":"M","W":"M","d":"R","v":"F","P":"F","(":"N"},"wanted":"want a move behind the number"},"M":{"next":{"_":"M","/":"M",">":"M","(":"M",")":"M","d":"R","v":"F","P":"F",",":"M"},"wanted":"want a move behind the side"},"R":{"next":{"_":"R",",":"K","d":"R","v":"F","P":"F","B":"M","W":"M"},"wanted":"a number alone is no point: want i,j from 0,0 to 4,4, or a vertex such as C3"},"K":{"next":{"_":"L","d":"A"},"wanted":"want the column behind the row"},"L":{"next":{"_":"L","d":"Z"},"wanted":"want the column behind the row"},"A":{"next":{"_":"S","/":"S",",":"C","(":"S",")":"F",".":"Y",">":"S"},"wanted":"want a blank between two moves"},"Z":{"next":{"_":"Y","/":"S",",":"D","(":"S",")":"F",".":"Y",">":"S"},"wanted":"want a blank between two moves"},"Y":{"next":{"_":"Y","/":"S",",":"D","(":"S",")":"F","e":"N","n":"N","B":"M","W":"M","d":"R","v":"F","P":"F",">":"S"},"wanted":"want a move"},"C":{"next":{"_":"S","/":"S","(":"S","B":"M","W":"M","v":"F","P":"F",")":"F"},"wanted":"more than two numbers in a row: want pairs i,j with a blank, a bracket or a line between them"},"D":{"next":{"_":"D","/":"S","(":"S","B":"M","W":"M","v":"F","P":"F","e":"N","n":"N"},"wanted":"more than two numbers in a row: want pairs i,j in brackets, or without blanks in them"},"F":{"next":{"_":"S","/":"S",",":"S",")":"F","(":"S","v":"F",".":"S","B":"M","W":"M",">":"S"},"wanted":"want a blank between two moves"}},"columns":{"number":["ply","number","no","no.","nr","#","n","move_number"],"side":["colour","color","player","side","piece","stone","who","mover"],"row":["row","i","r"],"column":["col","column","j","c"],"move":["move","vertex","point","coord","coordinate","pos","position"]},"keys":{"moves":["moves"],"black":["black","b","ab","blackstones","stonesblack"],"white":["white","w","aw","whitestones","stoneswhite"],"ko":["ko"],"ply":["ply"],"passed":["passed"],"plies":["plies"],"komi":["komi"],"key":["key"],"position":["position"],"turn":["turn"],"mover":["tomove","toplay","side","mover","next","nextplayer","nexttomove","nexttoplay","currentplayer","sidetomove","sidetoplay","playertomove","activeplayer"],"size":["size","boardsize","boardxsize","boardysize","sz"],"xy":["width","height"],"rows":["board","rows","grid","state","cells","matrix","goban"],"first":["initialplayer","firstplayer"],"nothing":["analyzeturns","initialstones","initialposition","initialstate","handicap","setup","freehandicapplacement"],"ours":["winner","reason","staffagent","staffcolor","seed","detail","margin","final","cpu","killed","byclock","identities","inexact","number"],"harmless":["value","lo","hi","bestmove","nodes","sources","source","notread","id","rules","name","names","comment","comments","date","day","by","elo","rating","blackelo","whiteelo","time","best","bestline","pv","likely","alike","lost","lostleast","lostmost","replies","holding","open","lofrom","hifrom","winnerfrom","why","result","score","note","notes","title","event","site","place","round","players","blackname","whitename","playerblack","playerwhite","author","annotator","url","file","version","created","tags","status","exact","theme","difficulty","puzzle","solved","gameid","uuid","timestamp","source_file","ruleset","maxvisits","includeownership","mistakes","worth","stake","end","blackplayer","whiteplayer"]},"refuse":{"long-line":["damaged","<0> goes on for {1} signs: delete the line"],"many-lines":["damaged","it has {0} lines: give the position alone"],"board-beside":["ambiguous","a board stands beside it: delete the one that is not asked about"],"moves-beside":["ambiguous","<0> has moves beside a position: delete the one that is not asked about"],"few-rows":["damaged","{0} rows of a board, want 5 of 5 points: . empty, X Black, O White, + ko"],"two-boards":["ambiguous","{0} rows of a board, want the 5 rows of one: delete the board that is not asked about"],"no-answer":["damaged","it asks a program for a move, and the answer is not here: write the move with play"],"unknown-command":["ambiguous","<0> stands among commands to a Go program, and is not known: delete the line"],"size":["not-5x5","a board of size {0}, but only 5 is possible here"],"two-lines":["ambiguous","<0> and <1> are two texts of moves: want one"],"no-move":["damaged","there is no move in it: want moves such as 2,2 1,1 PASS"],"text-ends":["not-a-move","the text ends: {0}"],"half-marked":["ambiguous","<0> stands before some moves only: name the side of each move, or of none; stones are listed as “Black: C3 D4” and “White: B4”"],"numbers":["damaged","the numbers count neither the moves nor pairs of them: moves are missing, or White moves first; delete the numbers"],"json-more":["damaged","not JSON: something stands behind it: want one object"],"json-object":["damaged","want a JSON object, got {0}"],"json-word":["damaged","not JSON: <0> is no value: want a text in quotation marks"],"json-early":["damaged","not JSON: it ends too early"],"json-deep":["damaged","not JSON that can be read: more than {0} levels"],"two-in-json":["ambiguous","it has {0} and {1}: delete the one that is not asked about"],"no-position":["damaged","no position: want moves, or key, or black, white and ply"],"list-of-points":["damaged","black and white: want a list of points for both, or a set of points for both"],"json-board":["damaged","board: want five rows of 5 points: . empty, X Black, O White, or 0, 1 and 2"],"moves-kind":["damaged","moves: want a text, or a list of moves"],"stones-and-lists":["ambiguous","it has stones and lists of stones: delete the one that is not asked about"],"other-size":["not-5x5","<0> names another size: only 5x5 is possible here"],"moves-twice":["ambiguous","<0> lets one side move twice: say who is to move"],"contradicts":["ambiguous","<0> contradicts another line: delete the wrong one"],"decides":["ambiguous","<0> {1}, and is not read: {2}"],"before-ours":["ambiguous","<0> stands before a line of ours: delete these words"],"two-signs":["ambiguous","<0> and <1> on one board: want one sign for each side"],"stones-counted":["ambiguous","a line around the board counts {0} stones of a side, and there are {1}: delete that line"],"last-stone":["ambiguous","the last move that a line names is no stone of that side on the board: delete that line"],"command-failed":["ambiguous","<0> says that a command failed: delete both lines"],"words-beside":["not-a-move","<0> stands beside a line of moves: delete the one that is not asked about"],"table-columns":["damaged","<0> has {1} columns, and the first line {2}"],"table-row":["not-a-move","<0> is no row of a table of moves"],"word":["not-a-move","<0>: {1}"],"no-word":["not-a-move","<0> is no move: {1}"],"stone-twice":["ambiguous","it lists stones by colour: want each point once, without numbers and PASSes"],"variation":["ambiguous","some moves stand in brackets and some do not: delete the variation, which is no move"],"wrong-colour":["wrong-colour","{0} before move {1}, which is {2}'s: want Black's move first, and PASS for a move left out"],"half-marked-line":["ambiguous","<0> names a side before some moves only: name it before all, or none"],"json-sign":["damaged","not JSON: <0> where a value is wanted"],"unknown-key":["ambiguous","its key <0> is not known, and could change the answer: delete it, or name it note"],"setup":["ambiguous","<0>: it begins with stones on the board: give the position after them instead"],"both-colours":["unreachable","a point has a black and a white stone"],"integer":["damaged","<0> must be an integer, not <1>"],"ko-number":["damaged","'ko' must be a point number or null, not <0>"],"passed-value":["damaged","'passed' must be true or false, not <0>"],"rows-beside":["ambiguous","<0> stands beside its rows: delete it"],"json-move":["not-a-move","<0> is no move: want a text such as \"2,2\", or row and column"],"column-row":["ambiguous","its moves may be column and row: give them as vertices such as \"C3\""],"komi-twice":["ambiguous","--komi is there twice"],"row-numbers":["damaged","its rows have the numbers {0}: want them in order"],"many-words":["too-long","more than {0} words: a game has 24 moves at most"],"json-comma":["damaged","not JSON: a comma or a closing bracket is missing"],"json-name":["damaged","not JSON: want a name in quotation marks and a colon"],"size-of":["not-5x5","<0>: a board of size <1>, but only 5 is possible here"],"plies-komi":["damaged","its plies and komi are no numbers: <0>"],"no-side":["ambiguous","<0> is no side: want B or W"],"key-digits":["damaged","the key <0> has lost digits in another program: give it as a text in quotation marks"],"flat-numbers":["not-a-move","<0> alone is no point: want a text such as \"2,2\", or row and column in brackets"],"unknown-part":["ambiguous","the link's part <0> is not known, and could change the answer: delete it"],"other-key":["ambiguous","its key is of another position: delete one of the two"],"key-kind":["damaged","key: want a number of at most 61 bits, as a text in quotation marks"],"missing":["damaged","<0> is missing: a position has black, white and ply, and may have ko and passed"],"no-answer-move":["damaged","<0> is no move: write the move with play"],"plays-no-move":["not-a-move","<0> plays no move: want play B C3"],"twice":["ambiguous","<0>: it is there twice"],"white-first":["ambiguous","White moves first in it, and here Black does: give the position after the first moves"],"position-kind":["damaged","position: want black, white and ply in it"],"too-long":["damaged","longer than {0} signs: give the position alone"],"many-games":["damaged","{0} games are too many: at most {1} at once"],"stones-and-moves":["ambiguous","its moves lead to another position than its stones show: delete one of the two"],"moves-and-board":["ambiguous","its moves lead to another position than its last board shows: delete one of the two"],"boards-apart":["unreachable","no move leads to its last board from the one before: delete all boards but the last"],"over-and-more":["ambiguous","one line shows a game that is over, and another one that continues: delete one of them"],"ply-and-side":["ambiguous","after {0} plies it is the other side's move: delete one of the two"],"no-ko":["ambiguous","no ko is possible at {0}, which a line names: delete that line"],"not-over":["ambiguous","a line says that the game is over, and the position is not at its end: delete that line"],"other-side":["ambiguous","a line names {0} as the side to move, and it is not: delete that line"],"other-ply":["ambiguous","a line names ply {0}, and the position is at ply {1}: delete that line"],"other-pass":["ambiguous","a line and the position differ about a PASS: delete that line"],"other-stones":["ambiguous","a line counts other stones than the position has: delete that line"],"two-links":["ambiguous","it has two links that differ: delete the one that is not asked about"],"other-rules":["ambiguous","<0> has a komi, a size or a side to move in it, which is not read: give it beside the position"],"no-key":["damaged","<0> is no key: want a number of at most 61 bits"],"off-board":["off-board","<0> is off the board: {1}"],"json-text":["damaged","not JSON: <0> is no text"]},"line":[{},{},{},{},{},{},{},{},{},{},{},{"where":"board"},{"where":"board"},{},{},{},{},{},{},{},{},{"where":"board"},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{"where":"moves"},{"where":"moves"},{},{"where":"moves"},{"where":"moves"},{"where":"moves"}],"decides":[{"what":"names a side","remedy":"say it as “White to move”, or delete the line"},{"what":"speaks of a turn","remedy":"say it as “White to move”, or delete the line"},{"what":"names a size","remedy":"delete the line if the board is 5x5"},{"what":"names a komi, a handicap or a length","remedy":"give --komi or --plies, and delete the line"},{"what":"says how points are counted","remedy":"delete the line if rows count from the top and 0,0 is the top left corner"},{"what":"counts plies or moves","remedy":"give --ply, and delete the line"},{"what":"speaks of captures, a ko or a PASS","remedy":"give --ply, and delete the line"},{"what":"says that the game is over","remedy":"delete the line"},{"what":"names a move beside the board","remedy":"delete the line, or draw the board after that move"},{"what":"has a number that could be a ply","remedy":"give --ply, and delete the line"},{"what":"shows another board or other moves","remedy":"delete the one that is not asked about"},{"what":"is in a script that is not read here","remedy":"delete the line, or say it as “White to move”"}],"token":[{"kind":"_"},{"kind":"/"},{"kind":"e"},{"kind":"n"},{"kind":"B"},{"kind":"W"},{"kind":"v"},{"kind":"d"},{"kind":"P"},{"kind":","},{"kind":"("},{"kind":")"},{"kind":">"},{"kind":"."},{"kind":"?"}],"patterns":{"line0":"rules: \\{[^\\n]*\\}|hash: [0-9a-f]{1,40} +ko-hash: [0-9a-f]{1,40}|(?:black|white) time: [0-9:]{1,12}","line1":"(?<heading>)(?<alone>)(?<ply><N>) of (?<plies><N>) plies played, (?:(?<dark>black) [(]x[)]|(?<light>white) [(]o[)]) to move(?<passed>, after a pass)?(?:; komi (?<komi><KOMI>))?[.]","line2":"(?<printed>)(?<alone>)(?<ply><N>) of (?<plies><N>) plies played, (?:(?<dark>black)|(?<light>white)) to move[.](?: (?<ko>[0-4],[0-4]) is forbidden by ko[.])?(?<passed> the last ply was a pass: another one ends the game[.])?(?: this is the last ply[.])?","line3":"(?<heading>)(?<over>)the game(?: of (?<plies><N>) plies)? is over(?:; komi (?<komi><KOMI>))?[.]","line4":"(?<over>)the game is over after (?:ply <N>|the last move)[.]","line5":"(?<heading>)(?<over>)the game has ended: [bw][+][0-9]{1,2}(?:[.][0-9])?","line6":"(?<heading>)ply (?<ply><N>) of (?<plies><N>), (?:(?<dark>black)|(?<light>white)) to move","line7":"game: (?<plies><N>) plies, komi (?<komi><KOMI>)","line8":"ply (?<next><N>) of (?<plies><N>); x (?<on_black>[0-9]{1,2}) : o (?<on_white>[0-9]{1,2}) [+] (?<komi><KOMI>)","line9":"(?<heading>)ply (?<next><N>): (?:(?<dark>black)|(?<light>white)) plays (?:[0-4],[0-4]|pass), (?:costs|loses) [0-9]{1,2}(?: points?)?(?: or more)?(?: and the win)?(?: [(][a-z ]{1,40}[)]?)?[.]?","line10":"(?<heading>)it begins after ply (?<ply><N>) with (?:(?<dark>black)|(?<light>white)) to move:","line11":"(?<ours>)(?:proven|bounds|value|searched|evaluated|book|not proven|not in the book|best moves?(?:, worth the same)?|our player plays|line|atlas|certificate|before|after|likely|trap|principal variation|best replies|why|the result|a move that wins|nothing is proven|lost against best play|rule|better|the answer|instead|turning point|biggest mistake|mistakes|result|win|a line that keeps what is proven|its moves|the position|rules|store|kernel|search|line|exact)(?: [^:\\n]{0,80})?:[^\\n]*","line12":"(?<ours>)(?:in the book, undecided[.]|no best move is known[.]|all moves lose; which one is best is not known[.]|rules: [^\\n]*|our player plays [^\\n]{1,60}|move +result(?: +[a-z ]{3,60})?|(?:[0-4],[0-4]|pass)(?: [(]also [^)\\n]{1,60}[)])? +[bw=?][^\\n]*)","line13":"<OPEN><COLOUR>,? (?:to (?:move|play)(?: (?:and|to) win)?(?: (?:now|next))?|(?:plays|moves|is) next|is to (?:move|play)|on (?:the )?move|has the move|begins|starts)(?:,? ?[(]?(?:(?:at |after )?ply (?<ply><N>)|(?:after )?(?<ply2><N>) (?:plies|moves)(?: played)?|move (?<next><N>)|komi (?<komi><KOMI>))[)]?)?<CLOSE>","line14":"<OPEN><COLOUR>\\x27s? (?:turn|move)(?: to (?:move|play))?(?: now)?(?:,? ?[(]?(?:ply (?<ply><N>)|(?<ply2><N>) (?:plies|moves)(?: played)?|move (?<next><N>))[)]?)?<CLOSE>","line15":"<OPEN>(?:(?:next|current|active)[ _]?(?:player|color|colour|side|turn)|player to (?:move|play)|next to (?:move|play)|next|to[ _-]?(?:move|play)|turn|side[ _]?to[ _]?(?:move|play)|side|mover|colou?r(?: to (?:move|play))?|player|piece[_ ]?type|who(?:se)? (?:turn|moves|move is it))(?: is)? ?[:=]? ?<SIDE>(?: to (?:move|play))?<CLOSE>","line16":"move ?[:=] ?(?:(?<dark><DARK>)|(?<light><LIGHT>))<CLOSE>","line17":"<OPEN>(?:next: [a-z]{1,12}[?] )?no, <COLOUR> to (?:move|play)<CLOSE>","line18":"(?:black|white) ?[(:] ?[a-z_]{1,20}[)]?(?:,| against| vs[.]?| versus| -) ?(?:black|white) ?[(:] ?[a-z_]{1,20}[)]?[,.;] ?<COLOUR> to (?:move|play)<CLOSE>","line19":"<OPEN>(?:you are|you play|you\\x27re|i am|i\\x27m|i play)(?: as)? <COLOUR>[.,;!]? (?:and )?(?:it is |it\\x27s )?(?:your|my) (?:move|turn)(?: now)?<CLOSE>","line20":"<OPEN>(?<last><POINT>)? ?(?:(?<last_dark><DARK>|x)|(?<last_light><LIGHT>|o)) (?:has )?(?:just )?(?:play(?:ed|s)|moved) (?:at |on |to )?(?<point><POINT>)[,;.:] ?(?:and |so |now )?(?:it is |it\\x27s )?<COLOUR>(?: (?:to (?:move|play)|is to (?:move|play)|(?:plays|moves) (?:next|now))|\\x27s (?:turn|move))<CLOSE>","line21":"<OPEN>(?<alone>)(?:(?<last_dark><DARK>|x)|(?<last_light><LIGHT>|o)) (?:has )?(?:just )?(?<stop>pass(?:ed|es)?)(?:[,;.] ?(?:and |so )?<COLOUR> to (?:move|play))?<CLOSE>","line22":"<OPEN><COLOUR> to (?:move|play)[,;.]? (?:after|the last (?:move|ply) was) (?:a )?(?<passed>pass)(?: by (?:black|white))?<CLOSE>","line23":"(?<dark>x)番<CLOSE>|(?<light>o)番<CLOSE>","line24":"(?:次は|手番(?:は)? ?[:=]? ?|轮到|輪到|该|下一手(?:是)? ?[:=]? ?)(?:(?<dark>x)|(?<light>o))(?:棋|方|番|の番)?(?:走|下|落子|です)?<CLOSE>","line25":"(?:(?<dark>x)|(?<light>o))(?:棋|方)?(?:の番|先|走|下|落子|の手番|先行)(?:です|棋)?<CLOSE>","line26":"(?:(?<dark>흑)|(?<light>백)) ?(?:차례|번|선|이 둘 차례|둘 차례)(?:입니다)?<CLOSE>","line27":"<OPEN>(?:(?:ist )?am zug(?: ist)? ?[:=]? ?|an der reihe ?[:=]? ?|es zieht |trait (?:aux? )?|tour (?:des |aux? )?|au tour (?:des |de )?|c\\x27est (?:aux? )?|turno(?: de| del)?(?: las?| los)? ?[:=]? ?|(?:juegan|mueven|juega|mueve)(?: las?| los)? |le toca (?:a )?|muove |tocca (?:al? )?|gioca(?:no)? |turno (?:del )?|mossa (?:al )?|vez (?:das? |dos? )|jogam (?:as )?|ход |очередь )<COLOUR>(?: de jouer| jouer)?<CLOSE>","line28":"<OPEN><COLOUR> (?:(?:ist )?am zug|ist dran|zieht|spielt|beginnt|ist an der reihe|à jouer|a jouer|jouent|joue|au trait|de jouer|(?:juegan?|mueven?)|al turno|a jugar|muove|gioca|al tratto|jogam?|a jogar|aan zet|is aan de beurt|ходят|ходит|начинают|на ходу)<CLOSE>","line29":"<OPEN>(?:ply|plies played|ply[ _]?(?:count|number)|move[ _]?count|moves? played|moves so far) ?[:=]? ?(?<ply><N>)(?: of (?<plies><N>))?<CLOSE>","line30":"<OPEN>(?:after )?(?<ply><N>) (?:plies|half-moves|halfmoves)(?: played| have been played)?<CLOSE>|<OPEN>after ply (?<ply2><N>)<CLOSE>","line31":"<OPEN>(?:move|ply) ?#? ?(?<next><N>)[,:;]? [(]?(?:- )?<COLOUR>(?: to (?:move|play))?<CLOSE>","line32":"<OPEN>after (?:ply )?(?<ply><N>)(?: plies| moves)?[,:;] ?<COLOUR>(?: to (?:move|play)|\\x27s (?:turn|move))<CLOSE>","line33":"komi ?[:=]? ?(?<komi><KOMI>)[.]?","line34":"(?:game|length|plies in the game) ?[:=]? ?(?<plies><N>) plies[.]?","line35":"ko(?: point)? ?[:=] ?(?:(?<ko_vertex>[a-e][1-5])|(?<ko>[0-4],[0-4]))","line36":"ko(?: point)? ?[:=] ?(?:none|no|-|null)","line37":"(?:(?:board|board ?size|position|size|the board|sz) ?[:=]?)?(?: ?(?<size>[0-9]{1,2}) ?[x*×] ?(?<size2>[0-9]{1,2}))(?: board)? ?:?|(?:board ?size|size|sz|n) ?[:=]? ?(?<size3>[0-9]{1,2})","line38":"<OPEN>(?:the )?(?:board|position|current (?:board|position|state)|state|goban)(?: is| now)? ?:?<CLOSE>","line39":"(?<last_dark>black)(?: has)? captured (?<whites><N>) <STONES>(?:,? <COLOUR> to (?:move|play))?<CLOSE>|(?<last_light>white)(?: has)? captured (?<blacks><N>) <STONES>(?:,? (?:(?<dark2>black)|(?<light2>white)) to (?:move|play))<CLOSE>","line40":"white [(]o[)] has captured (?<blacks><N>) <STONES>","line41":"black [(]x[)] has captured (?<whites><N>) <STONES>","line42":"(?<alone>)last move ?[:=]? ?(?:by )?(?:(?<last_dark>black|b|x)|(?<last_light>white|w|o)) (?:(?<stop>pass)|(?<point><POINT>))","line43":"(?:= ?)?movenum: (?<ply><N>) hash: [0-9a-f]{1,64}","line44":"b stones captured: (?<blacks><N>)","line45":"w stones captured: (?<whites><N>)","line46":"prisoners: b (?<blacks><N>) {1,2}w (?<whites><N>)","line47":"(?<alone>)passes: (?:(?<stop>[1-9])|0) +black [(]x[)] prisoners: (?<whites><N>)","line48":"(?:(?<dark>black [(]x[)])|(?<light>white [(]o[)])) to move +white [(]o[)] prisoners: (?<blacks><N>)","line49":"move: +(?<ply><N>) +komi: +(?<komi><KOMI>) +handicap: +0 +captures b: +(?<whites><N>) w: +(?<blacks><N>)","line50":"gostate[(]komi=(?<komi><KOMI>), to_play=(?:(?<dark>b)|(?<light>w)), history[.]size[(][)]=(?<ply><N>)[)]","line51":"[^ \\n]*https?://[^ \\n]+|-{4,}input \"exit\" to exit the program-{4,}|x stands for black chess, o stands for white chess[.]|(?:the )?winner (?:is|:) (?:x|o|black|white|none)[.]?|the game is a tie[.]?","line52":"\\[(?:event|site|date|round|white|black|result|annotator) \"[^\"\\n]*\"\\]|```[a-z]*|~~~|=|[-+*_= |]{3,}|(?:(?:on|am|le|el) [^\\n]{1,100} )?(?:wrote|schrieb|a écrit|escribió|ha scritto):|(?:from|sent|date|to|cc): [^\\n]{0,100}|(?:hi|hello|thanks|thank you|regards|cheers|please help|help)[ a-z]{0,16}[.,!]?","line53":"(?:[$] ?)?(?:uvx |uv run |pipx run )?(?:[^ \\n]{0,40}/)?(?:little-go|python3? -m [a-z_]{1,12}) (?:query|review) (?:--json )?(?:--moves[= ])?(?:\"(?<moves>[^\"\\n]*)\"|\\x27(?<moves2>[^\\x27\\n]*)\\x27)(?: --(?:plies[= ](?<plies><N>)|komi[= ](?<komi><KOMI>)|json|live[= ][0-9.]{1,6}))?(?: --(?:komi[= ](?<komi2><KOMI>)|plies[= ](?<plies2><N>)|json|live[= ][0-9.]{1,6}))?(?: --(?:json|ply[= ](?<stop_ply><N>)|live[= ][0-9.]{1,6}))?","line54":"(?:little-go )?query (?<moves>[^\"\\x27\\n-]*)(?: --ply[= ](?<stop_ply><N>))?","line55":"--moves[= ](?:\"(?<moves>[^\"\\n]*)\"|\\x27(?<moves2>[^\\x27\\n]*)\\x27|(?<moves3>[^\"\\x27\\n]*))(?: --(?:plies[= ](?<plies><N>)|komi[= ](?<komi><KOMI>)))?(?: --(?:komi[= ](?<komi2><KOMI>)|plies[= ](?<plies2><N>)))?","line56":"(?:moves|game) ?[:=] *(?<moves>[^:\\n]*)","line57":"(?:better|instead|the answer|best line|line|principal variation) ?[:=] *(?<moves>[^:\\n]*)","line58":"after (?:ply )?(?<ply><N>)(?: plies| moves)?: *(?<moves>[^:\\n]*)","line59":"<moves>(?<moves>[^<>\\n]*)</moves>","line60":"black(?: {1,4}| ?[,;|] ?)white","line61":"(?<columns>[a-z_#.]{1,12}(?: {1,4}| ?[,;|] ?)[a-z_#.]{1,12}(?:(?:(?: {1,4}| ?[,;|] ?)[a-z_#.]{1,12}){0,6}))","line62":"(?<label>(?!(?:black|white|[xobw]|ab|aw):)[a-z][a-z ]{0,30}): *(?<moves>(?:[^:\\n]*[0-9][^:\\n]*)?)","decides0":"(?<![a-z])(?:blacks?|whites?|player ?[12]|schwarz|wei(?:ss|ß)|noirs?|blancs?|blanch?[ao]s?|negr[ao]s?|ner[oi]|bianc(?:o|a|hi|he)|pret[ao]s?|branc[ao]s?|zwarte?|witte?|svart|vit|sort|hvid|czarn[ey]|biał[ey]|bílý|černý|fekete|beyaz|siyah)(?![a-z])|(?<![a-z0-9])[xobw](?![a-z0-9])|ч[её]рн|бел|흑|백","decides1":"(?<![a-z])(?:turn|to[ _-]?(?:move|play)|(?:moves?|plays?|goes|player) (?:next|first|second|now)|next|your move|my move|whose|first player|second player|zug|dran|trait|jou(?:e|er|ent)|turno|jueg[ao]n?|mueven?|toca|gioca|muove|tocca|tratto|jogam?|vez|zet|beurt|colou?rs?|swapped|mover)(?![a-z])|番|手|走|轮|輪|차례|ход","decides2":"(?<![0-9])[0-9]{1,2} ?(?:[x×*]|by) ?[0-9]{1,2}(?![0-9])|board ?size|(?<![a-z])size(?![a-z])","decides3":"(?<![a-z])(?:komi|handicap|rules?|ruleset)(?![a-z])|(?<![a-z])(?:km|sz|ha|pl|ru) ?\\[","decides4":"(?<![a-z])(?:rows?|columns?|bottom|top|left|right|origin|corner|1-based|one-based|0-based|zero-based|(?:x|y) ?(?:first|then|and|,)|reversed|backwards?) (?:[a-z]|[0-9])[^\\n]*","decides5":"(?<![a-z])(?:ply|plies|moves? (?:number|no|nr|count|played)|[0-9]+ ?(?:moves|stones|turns|steps|half)|(?:moves?|turn|round|step|count|stones|coup|zug|jugada|mossa|lance) ?[#:=(]? ?[0-9])|(?<![a-z])(?:after|t|n) ?[=:]? ?[0-9]","decides6":"captur|prison|(?<![a-z])ko(?![a-z])|(?<![a-z])pass(?:ed|es)?(?![a-z])|(?<![a-z])(?:passe|pasa|pasó|passa)(?![a-z])","decides7":"(?<![a-z])(?:game over|over|ended|end of the game|finished|resign(?:ed|s)?|invalid)(?![a-z])","decides8":"(?<![^\\n])[^?\\n]*(?<![a-z0-9])(?:[a-e][1-5]|[0-4] ?, ?[0-4])(?![a-z0-9])[^?\\n]*(?![^\\n])|(?<![a-z])(?:last (?:move|ply|stone)|previous|undo|rotated|mirrored|flipped|transposed)(?![a-z])","decides9":"(?<=[a-zß-ÿ=#:(] )[0-9]{1,2}(?![0-9a-z:/.,+-])|(?<=[=#:(])[0-9]{1,2}(?![0-9a-z:/.,+-])|(?<![0-9a-z:/.,+-])[0-9]{1,2}(?= [a-zß-ÿ])","decides10":"(?<![0-9a-z])(?:[0-9]{12,20}|0x[0-9a-f]{8,16})(?![0-9a-z])|\"(?:moves|black|white|ply|key|board)\" ?:|(?<![0-9])[012]{5}(?![0-9])|(?<![^\\n])(?:[-.+_xo#] ?){4,25}(?![^\\n])","decides11":"[\\u0370-\\u1fff\\u2c00-\\ud7ff\\uf900-\\ufaff]","row0":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))(?:[ |()\"\\x27,]*(?:[.x#b@ow+]|[x#b@ow][1-3](?![0-9]))){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row1":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[-_x#b@ow+](?:[ |()\"\\x27,]*[-_x#b@ow+]){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row2":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[+x#b@ow](?:[ |()\"\\x27,]*[+x#b@ow]){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","row3":"[ |(\\[{\"\\x27,]*(?:(?<number>[0-9])(?=[ |:(])[ |:]*)?(?:array|tensor)?[ |(\\[{\"\\x27,]*(?<points>[012][.]?(?:[ |()\"\\x27,]*[012][.]?){4})[ |)\\]}\"\\x27,;]*(?:(?<= )(?<number2>[0-9])(?: *| +[^ 0-9][^\\n]*)|(?<=  )[^ 0-9][^\\n]*)?(?:, dtype=[a-z0-9]+[)])?","blank":"[ |()\\[\\]{}\"\\x27,;]*","head":"[ |]*(?:(?<ours>0[ |]*1[ |]*2[ |]*3[ |]*4|1[ |]*2[ |]*3[ |]*4[ |]*5)|a[ |]*b[ |]*c[ |]*d[ |]*e)[ |]*(?<rest> {2,}[^ ][^\\n]*)?","sensei":"[$][$](?:(?<dark>b)|(?<light>w))?[0-9]{0,3}(?:m[0-9]{1,3})?c?(?![a-z0-9])","mover":"(?<dark>b|x)|(?<light>w|o)","part":"[ |]*(?:[0-9] +)?(?:[.x#ow+][ |]*){3,}(?:(?<= )[0-9](?: [^\\n]*)?)?","dashes":"-{10}","shown":"(?:[xo ] ){0,4}[xo ]? ?","piece":"[^/\\]}]+[\\]}]*","makes":"(?:(?<dark>x|black|player ?1)|(?<light>o|white|player ?2)) makes? (?:a )?move(?:[.]{0,3})","log_move":"(?:(?:move|ply) (?<number><N>) ?[:.] ?|(?<number2><N>)[.:)] ?)?(?:(?:(?<dark>x|b|black|player ?1)|(?<light>o|w|white|player ?2))(?:\\x27s)?(?: (?:move|moves|plays|played|input|places|put)(?: at| on| to)?)? ?(?::|->)? ?)?(?<point>[(\\[]?[0-4] ?, ?[0-4][)\\]]?|[a-e][1-5]|pass)[.]?","start":"start +[bw=?][^\\n]*","listed":"(?<number><N>) (?:(?<dark>x)|(?<light>o)) (?<point>[0-4],[0-4]|pass) {2,}[bw=?][^\\n]*","named":"(?:player ?[12] ?(?::|->) ?|(?:move|ply) <N> ?[:.] ?(?:(?:x|b|black|o|w|white)(?: |: ?))?|player ?[12](?:\\x27s)? (?:move|moves|plays|played)(?: at)? ?:? ?)(?:[(\\[]?[0-4] ?, ?[0-4][)\\]]?|[a-e][1-5]|pass)[.]?","play":"(?:gtp> ?)?(?:[0-9]{1,9} +)?play +(?:(?<dark>black|b)|(?<light>white|w)) +(?<point>[a-hj-z][0-9]{1,2}|pass)(?: *#[^\\n]*)?","genmove":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:genmove|kgs-genmove_cleanup|lz-genmove_analyze|kata-genmove_analyze) +(?:(?<dark>black|b)|(?<light>white|w))(?: [^\\n]*)?","other":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:(?<undo>undo)|(?<clear>clear_board)|boardsize +(?<size>[0-9]{1,3})|komi +(?<other_komi>-?[0-9]{1,3}(?:[.][0-9]{1,3})?)|(?<harmless>name|version|protocol_version|showboard|quit|list_commands|known_command|final_score|time_settings|time_left|reg_genmove|clear_cache|estimate_score|final_status_list|list_stones|captures|move_history|player_params|policy_params|rect)(?: [^\\n]*)?)(?: *#[^\\n]*)?","answer":"=[0-9]{0,9} *(?<said>[^\\n]*)","failed":"[?][0-9]{0,9}(?: [^\\n]*)?","played":"(?<point>[a-hj-z][0-9]{1,2}|pass)","script":"(?:gtp> ?)?(?:[0-9]{1,9} +)?(?:play +(?:black|white|b|w) +[a-z]|genmove +(?:black|white|b|w))[^\\n]*","anyplay":"(?:gtp> ?)?(?:[0-9]{1,9} +)?play [^\\n]*","comment":"#[^\\n]*","prefix":"[ >]*(?:[$][$](?= ))?(?:<[a-z0-9_]{1,20}> |\\[[0-9:]{4,8}\\] (?:<[a-z0-9_]{1,20}> |[a-z0-9_]{1,20}: )?)?","name":"[a-z][a-z ]{0,20}: ","blanks":" *","hex":"0x[0-9a-f]{1,7}","json_side":"(?:(?<dark>b|black|x|1|black[(]x[)])|(?<light>w|white|o|2|white[(]o[)]))","json_token":"\"(?:[^\"\\\\\\n]|\\\\[^\\n])*\"|-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null|[\\[\\]{},:]","cell":"[^,;| ]+","token":"(?<k0>[\"\\x27 *]+|(?:row ?[=:]?|(?:r|i) ?[=:]) ?(?=[0-9] ?[,;]? ?(?:column|col|c|j))|point(?=[(]))|(?<k1>[\\n;|]+)|(?<k2>[0-9]{1,3} ?[.]{3})|(?<k3>(?<![,])(?<!, )[0-9]{1,3}[.)]+(?=[^0-9]|[0-9] *,)|#[0-9]{1,3}[.:)]?|(?<![,:{0-9])(?<!, )[0-9]{1,3}:(?= ))|(?<k4>(?:black|b|x|ab|noirs?|schwarz|negras?|negro|nero|pretas?|preto|zwart)(?::|(?![a-z0-9_])|(?=[0-9],[0-9](?![a-z0-9_,]|(?: *,)))|(?=[a-hj-z][1-5](?![a-z0-9_]))))|(?<k5>(?:white|w|o|aw|blancs?|wei(?:ss|ß)|blancas?|blanco|bianco|brancas?|branco|wit)(?::|(?![a-z0-9_])|(?=[0-9],[0-9](?![a-z0-9_,]|(?: *,)))|(?=[a-hj-z][1-5](?![a-z0-9_]))))|(?<k6>[a-hj-z][0-9]{1,2}(?=[a-hj-z][0-9]|(?![a-z0-9_])))|(?<k7>[+-]?[0-9]{1,9}(?![a-z0-9_.]))|(?<k8>(?:pass|tt|パス|null)(?![a-z0-9_]))|(?<k9>(?<=[0-9 ])[,;]? ?(?:(?:column|col) ?[=:]?|(?:c|j) ?[=:]) ?(?=[0-9])|,)|(?<k10>[(\\[{])|(?<k11>[)\\]}])|(?<k12>-*>)|(?<k13>[.])|(?<k14>[^ \"\\x27\\n,;()|\\[\\]{}]+)"},"macros":{"N":"[0-9]{1,3}","KOMI":"-?[0-9]{1,2}(?:[.][0-9]{1,2})?","DARK":"(?:black(?: ?[(][xb#][)]| player| stones?)?|player ?1(?: [(]black(?: [(]x[)])?[)])?|schwarz|(?:aux |les )?noirs?|(?:las |los )?(?:negras?|negros?)|(?:il )?(?:nero|neri)|(?:as )?(?:pretas?|preto)|zwart|ч[её]рн(?:ые|ых|ый)|흑)","LIGHT":"(?:white(?: ?[(][ow][)]| player| stones?)?|player ?2(?: [(]white(?: [(]o[)])?[)])?|wei(?:ss|ß)|(?:aux |les )?blancs?|(?:las |los )?(?:blancas?|blancos?)|(?:il )?(?:bianco|bianchi)|(?:as )?(?:brancas?|branco)|wit|бел(?:ые|ых|ый)|백)","COLOUR":"(?:(?<dark><DARK>|x|b|#)|(?<light><LIGHT>|o|w))","SIDE":"(?:(?<dark><DARK>|x|b|#|1)|(?<light><LIGHT>|o|w|2))","STONES":"(?:stones?|pieces?)","POINT":"(?:[a-e][1-5]|[(]?[0-4] ?, ?[0-4][)]?)","OPEN":"[-(\\[* |#>=~_:]{0,6}(?:(?:and )?(?:it is now |it is |it\\x27s now |it\\x27s |now |so )?)","CLOSE":"[-)\\]*.!?:; |#<=~_]{0,6}"}};

export const reading = (() => {
  const among = (all, one) => (Array.isArray(all) ? all.includes(one) : Object.hasOwn(all, one));
  const STOP = 25;
  function has(found, name) {
    return among(found, name) && found[name] !== null;
  }
  function side_of(found, dark, light) {
    if (has(found, dark)) {
      return 0;
    }
    if (has(found, light)) {
      return 1;
    }
    return -1;
  }
  function point_of(p, text) {
    let digits;
    digits = p.digits(text);
    if (digits.length === 2) {
      return ((5 * "01234".indexOf(digits.slice(0, 1))) + "01234".indexOf(digits.slice(1, 2)));
    }
    return ((5 * "54321".indexOf(digits)) + "abcde".indexOf(text.slice(0, 1)));
  }
  function facts_of(p, found, line, at) {
    let facts, last, mover, name;
    facts = {};
    for (name of ["ply", "plies", "blacks", "whites", "on_black", "on_white"]) {
      if (has(found, name)) {
        facts[name] = p.number(found[name]);
      }
    }
    if (has(found, "ply2")) {
      facts.ply = p.number(found.ply2);
    }
    if (has(found, "plies2")) {
      facts.plies = p.number(found.plies2);
    }
    if (has(found, "next")) {
      facts.ply = (p.number(found.next) - 1);
    }
    mover = Math.max(side_of(found, "dark", "light"), side_of(found, "dark2", "light2"));
    if (mover >= 0) {
      facts.mover = mover;
    }
    for (name of ["komi", "komi2"]) {
      if (has(found, name)) {
        if (has(facts, "komi") && facts.komi !== p.decimal(found[name])) {
          p.refuse("komi-twice", at, []);
        }
        facts.komi = p.decimal(found[name]);
      }
    }
    for (name of ["size", "size2", "size3"]) {
      if (has(found, name) && p.number(found[name]) !== 5) {
        p.refuse("other-size", at, [line]);
      }
    }
    for (name of ["heading", "printed"]) {
      if (among(found, name)) {
        facts[name] = true;
      }
    }
    last = side_of(found, "last_dark", "last_light");
    if (last >= 0) {
      if (mover === last) {
        p.refuse("moves-twice", at, [line]);
      }
      facts.mover = (1 - last);
      if (has(found, "point")) {
        facts.last = ((2 * point_of(p, found.point)) + last);
      }
    }
    if (has(found, "ko")) {
      facts.ko = point_of(p, found.ko);
    }
    if (has(found, "ko_vertex")) {
      facts.ko = point_of(p, found.ko_vertex);
    }
    if (among(found, "over")) {
      facts.over = true;
    } else if (among(found, "alone")) {
      facts.passed = has(found, "passed") || has(found, "stop");
    } else if (has(found, "passed")) {
      facts.passed = true;
    }
    return facts;
  }
  function add_facts(p, facts, more, line, at) {
    let name;
    for (name of p.names(more)) {
      if (has(facts, name) && facts[name] !== more[name]) {
        p.refuse("contradicts", at, [line]);
      }
      facts[name] = more[name];
    }
  }
  function form_of(p, line, where) {
    let forms, found, number;
    forms = p.table.line;
    if (line.length > p.table.most.form && !(p.holds("--moves", line))) {
      return null;
    }
    for (number = 0; number < forms.length; number++) {
      if (!among(forms[number], "where") || forms[number].where === where) {
        found = p.match(`line${number}`, line);
        if (found !== null) {
          return found;
        }
      }
    }
    return null;
  }
  function refuse_deciding(p, line, at) {
    let decides, number, one, place;
    decides = p.table.decides;
    if (line.length > p.table.most.line) {
      p.refuse("long-line", at, [line, line.length]);
    }
    for (number = 0; number < decides.length; number++) {
      place = p.search(`decides${number}`, line);
      if (place >= 0) {
        one = decides[number];
        p.refuse("decides", at, [p.original(at, line.length), one.what, one.remedy]);
      }
    }
  }
  function lines_of(p, folded, begin) {
    let at, lines, piece, pieces, skip;
    lines = [];
    at = begin;
    pieces = folded.split("\n");
    if (pieces.length > p.table.most.lines) {
      p.refuse("many-lines", -1, [pieces.length]);
    }
    for (piece of pieces) {
      skip = p.begins("prefix", piece);
      lines.push({begin: (at + skip), text: p.trim_end(piece.slice(skip)), whole: piece, at: at});
      at += (piece.length + 1);
    }
    return lines;
  }
  function said(p) {
    return {form: "", moves: null, places: [], black: 0, white: 0, ko: null, facts: {}, taken: [], left: [], notes: []};
  }
  function read_text(p, text) {
    let board, folded, found, lines, log, read;
    folded = p.fold(text);
    lines = lines_of(p, folded, 0);
    if (is_script(p, lines)) {
      return read_script(p, lines);
    }
    for (read of [read_shown, read_review]) {
      found = read(p, lines);
      if (found !== null) {
        return found;
      }
    }
    board = rows_of(p, lines);
    if (board.rows.length > 0) {
      return read_drawn(p, lines, board);
    }
    log = read_log(p, lines);
    if (log !== null) {
      return log;
    }
    return read_moves_in(p, lines, folded);
  }
  function read_around(p, text) {
    let answer, blanks, folded, line, lines;
    folded = p.fold(text);
    lines = lines_of(p, folded, 0);
    if (rows_of(p, lines).rows.length > 0) {
      p.refuse("board-beside", -1, []);
    }
    answer = said(p);
    for (line of lines) {
      blanks = p.begins("blanks", line.text);
      read_beside(p, answer, line.text.slice(blanks), (line.begin + blanks), "board");
    }
    return answer;
  }
  function read_beside(p, answer, line, at, where) {
    let found, inner, is_printed, skip;
    if (p.match("blank", line) !== null) {
      return;
    }
    found = form_of(p, line, where);
    is_printed = among(answer.facts, "heading") || among(answer.facts, "printed");
    if (found !== null && among(found, "ours") && !(is_printed)) {
      found = null;
    }
    if (found === null) {
      skip = p.begins("name", line);
      inner = (skip > 0 ? form_of(p, line.slice(skip), where) : null);
      if (inner !== null && among(inner, "heading")) {
        p.refuse("before-ours", at, [p.original(at, skip)]);
      }
    }
    if (found !== null && (has(found, "moves") || has(found, "moves2") || has(found, "moves3"))) {
      p.refuse("moves-beside", at, [p.original(at, line.length)]);
    }
    if (found !== null) {
      answer.taken.push([at, (at + line.length)]);
      add_facts(p, answer.facts, facts_of(p, found, line, at), line, at);
      answer.is_ours = (is_printed && among(found, "ours")) || among(found, "heading");
      return;
    }
    if (p.tries(items_of, line, at)) {
      p.refuse("moves-beside", at, [p.original(at, line.length)]);
    }
    refuse_deciding(p, line, at);
  }
  function rows_of(p, lines) {
    let choice, choices, empties, first, line, number, places, row, rows, schemes, signs, stones;
    choices = [];
    schemes = p.table.rows;
    for (number = 0; number < schemes.length; number++) {
      signs = schemes[number].signs;
      rows = [];
      for (line of lines) {
        for (row of rows_in(p, line, number)) {
          rows.push(row);
        }
      }
      empties = false;
      stones = false;
      for (row of rows) {
        empties = empties || p.any_of((signs[0] + signs[3]), row.signs);
        stones = stones || p.any_of(((signs[1] + signs[2]) + signs[3]), row.signs);
      }
      if ((rows.length === 5 && (empties || number === 0)) || (empties && stones) || (rows.length > 5 && number !== 1 && empties)) {
        choices.push({signs: signs, rows: rows});
      }
    }
    if (choices.length === 0) {
      for (line of lines) {
        if (p.holds(".", line.text) && p.match("part", line.text) !== null) {
          p.refuse("few-rows", line.begin, [0]);
        }
      }
      return {signs: [], rows: []};
    }
    first = choices[0];
    for (choice of choices) {
      if (choice.rows.length === 5 && first.rows.length < 5) {
        first = choice;
      }
    }
    places = first.rows.map((row) => row.begin);
    for (choice of choices) {
      for (row of choice.rows) {
        if (!among(places, row.begin)) {
          places.push(row.begin);
        }
      }
    }
    if (places.length !== 5) {
      p.refuse((places.length > 5 ? "two-boards" : "few-rows"), -1, [places.length]);
    }
    return first;
  }
  function rows_in(p, line, number) {
    let begin, found, index, is_last, piece, pieces, row_number, rows, text;
    rows = [];
    text = line.text;
    if (text.length > p.table.most.line) {
      return rows;
    }
    pieces = p.pieces(text);
    for (index = 0; index < pieces.length; index++) {
      piece = pieces[index][1];
      is_last = index === (pieces.length - 1);
      found = null;
      if (piece.length <= p.table.most.form) {
        found = p.match(`row${number}`, piece);
        if (found === null && is_last && rows.length > 0 && p.holds(" ", piece)) {
          found = p.match(`row${number}`, piece.slice(0, (piece.indexOf(" ") + 1)));
        }
      }
      if (found !== null && has(found, "number") && has(found, "number2") && found.number !== found.number2) {
        found = null;
      }
      if (found !== null) {
        begin = (line.begin + pieces[index][0]);
        row_number = (has(found, "number") ? found.number : null);
        rows.push({begin: begin, end: (begin + found.end), signs: p.signs(found.points, number), number: row_number});
      } else if (p.match("blank", piece) === null) {
        return (is_last ? rows : []);
      }
    }
    return rows;
  }
  function read_drawn(p, lines, board) {
    let answer, begin, blanks, end, has_letters, head, line, mover, row, skip, text;
    answer = said(p);
    answer.form = "board";
    has_letters = false;
    for (line of lines) {
      text = line.text;
      begin = line.begin;
      end = -1;
      for (row of board.rows) {
        if (begin <= row.begin && row.begin <= (begin + text.length)) {
          end = Math.max(end, row.end);
          answer.taken.push([row.begin, row.end]);
        }
      }
      if (end >= 0) {
        text = text.slice((end - begin));
        begin = end;
      } else {
        head = p.match("head", text);
        skip = p.begins("sensei", text);
        if (skip > 0) {
          add_facts(p, answer.facts, facts_of(p, p.match("sensei", text.slice(0, skip)), text, begin), text, begin);
        } else if (head !== null) {
          has_letters = has_letters || !(has(head, "ours"));
          skip = (text.length - (has(head, "rest") ? head.rest.length : 0));
        }
        if (skip > 0) {
          answer.taken.push([begin, (begin + skip)]);
          text = text.slice(skip);
          begin += skip;
        }
      }
      blanks = p.begins("blanks", text);
      text = text.slice(blanks);
      begin += blanks;
      mover = (end >= 0 ? p.match("mover", text) : null);
      if (mover !== null) {
        answer.taken.push([begin, (begin + text.length)]);
        add_facts(p, answer.facts, facts_of(p, mover, text, begin), text, begin);
      } else if (among(answer, "is_ours") && answer.is_ours && (begin - line.at) >= 2 && form_of(p, text, "board") === null) {
        answer.taken.push([begin, (begin + text.length)]);
      } else {
        answer.is_ours = false;
        read_beside(p, answer, text, begin, "board");
      }
    }
    take_stones(p, answer, board, has_letters);
    return answer;
  }
  function take_stones(p, answer, board, has_letters) {
    let facts, index, names, numbers, plus, point, rows, side, signs, step, stones, used;
    rows = board.rows;
    numbers = rows.filter((row) => row.number !== null).map((row) => p.number(row.number));
    if (numbers.length > 0) {
      step = (numbers.at(-1) - numbers[0]);
      for (index = 0; index < numbers.length; index++) {
        if (numbers.length !== 5 || (step !== 4 && step !== -4) || numbers[index] !== (numbers[0] + Math.floor((index * step) / 4))) {
          names = numbers.map((one) => String(one)).join(", ");
          p.refuse("row-numbers", rows[0].begin, [names]);
        }
      }
    }
    signs = rows.map((row) => row.signs).join("");
    stones = [0, 0];
    plus = [];
    for (point = 0; point < 25; point++) {
      for (side = 0; side < 2; side++) {
        if (p.holds(signs[point], board.signs[(1 + side)])) {
          stones[side] = (stones[side] | (1 << point));
        }
      }
      if (board.signs[3] !== "" && signs[point] === board.signs[3]) {
        plus.push(point);
      }
    }
    for (side = 0; side < 2; side++) {
      used = p.signs_used(rows.map((row) => p.original(row.begin, (row.end - row.begin))), board.signs[(1 + side)]);
      if (used.length > 1) {
        p.refuse("two-signs", rows[0].begin, [used[0], used[1]]);
      }
    }
    answer.black = stones[0];
    answer.white = stones[1];
    facts = answer.facts;
    if (plus.length === 1 && !(has(facts, "ko"))) {
      if (has_letters && !among(facts, "heading")) {
        answer.notes.push("a + of another program's board is read as an empty point");
      } else {
        answer.ko = plus[0];
      }
    }
    check_stones(p, answer);
  }
  function check_stones(p, answer) {
    let count, facts, named, side, stones;
    facts = answer.facts;
    for (side = 0; side < 2; side++) {
      count = p.count((side === 1 ? answer.white : answer.black));
      named = (side === 1 ? "on_white" : "on_black");
      if (has(facts, named) && facts[named] !== count) {
        p.refuse("stones-counted", -1, [facts[named], count]);
      }
    }
    if (has(facts, "last")) {
      stones = ((facts.last % 2) === 1 ? answer.white : answer.black);
      if (((stones >> Math.floor(facts.last / 2)) & 1) === 0) {
        p.refuse("last-stone", -1, []);
      }
    }
    if (has(facts, "ko")) {
      answer.ko = facts.ko;
    }
  }
  function read_shown(p, lines) {
    let answer, at, begins, block, boards, first, found, has_first, has_makes, index, is_whole, items, last, line, makes, mark, move, mover, pair, same, text;
    answer = said(p);
    boards = [];
    items = [];
    mark = -1;
    begins = false;
    index = 0;
    while (index < lines.length) {
      line = lines[index];
      text = p.trim(line.text);
      block = ((index + 6) < lines.length ? shown_at(p, lines, index) : null);
      at = (line.begin + line.text.indexOf(text));
      if (block !== null) {
        boards.push(block);
        last = lines[(index + 6)];
        answer.taken.push([line.at, (last.at + last.whole.length)]);
        answer.facts.mover = (mark >= 0 ? (1 - mark) : 0);
        mark = (mark >= 0 ? 2 : -1);
        index += 7;
        continue;
      }
      index += 1;
      makes = (text.length <= p.table.most.form ? p.match("makes", text) : null);
      found = (text.length <= p.table.most.form ? p.match("log_move", text) : null);
      if (makes !== null) {
        mark = side_of(makes, "dark", "light");
        begins = begins || (mark === 0 && boards.length === 0);
        answer.facts.mover = mark;
        answer.taken.push([line.begin, (line.begin + line.text.length)]);
      } else if (found !== null && (mark === 0 || mark === 1)) {
        move = (found.point === "pass" ? STOP : point_of(p, found.point));
        items.push(item_of(move, at, mark, null));
        answer.taken.push([at, (at + text.length)]);
      } else if ((text !== "" && boards.length === 0 && (index + 6) < lines.length) || (text !== "" && p.match("dashes", text) === null)) {
        answer.left.push([text, at]);
      }
    }
    if (boards.length === 0) {
      return null;
    }
    mover = answer.facts.mover;
    has_makes = mark >= 0;
    if (!(has_makes)) {
      p.drop(answer.facts, "mover");
    }
    for (pair of answer.left) {
      read_beside(p, answer, pair[0], pair[1], "board");
    }
    answer.black = boards.at(-1).black;
    answer.white = boards.at(-1).white;
    answer.form = "board";
    first = boards[0];
    has_first = begins && first.white === 0 && p.count(first.black) === 1;
    is_whole = has_first || ((first.black | first.white) === 0 && boards.length > 1);
    if (items.length > 0 && is_whole) {
      take_line(p, answer, items, 0);
      answer.shown = true;
    } else if (is_whole && has_makes) {
      add_facts(p, answer.facts, {ply: (boards.length - (has_first ? 0 : 1))}, "its number of boards", -1);
    } else if (has_makes) {
      answer.facts.mover = mover;
    }
    if (has_makes && boards.length > 1 && items.length === 0) {
      same = boards.at(-1).black === boards.at(-2).black && boards.at(-1).white === boards.at(-2).white;
      add_facts(p, answer.facts, {passed: same}, "its last boards", -1);
      if (!(same)) {
        answer.before = [boards.at(-2).black, boards.at(-2).white];
      }
    }
    answer.taken = p.in_order(answer.taken);
    check_stones(p, answer);
    return answer;
  }
  function shown_at(p, lines, index) {
    let board, column, row, sign, text;
    if (p.match("dashes", lines[index].text) === null || p.match("dashes", lines[(index + 6)].text) === null) {
      return null;
    }
    board = {black: 0, white: 0};
    for (row = 0; row < 5; row++) {
      text = lines[((index + 1) + row)].whole;
      if (p.match("shown", text) === null) {
        return null;
      }
      for (column = 0; column < 5; column++) {
        sign = text.slice((2 * column), ((2 * column) + 1));
        if (sign === "x") {
          board.black = (board.black | (1 << ((5 * row) + column)));
        } else if (sign === "o") {
          board.white = (board.white | (1 << ((5 * row) + column)));
        }
      }
    }
    return board;
  }
  function read_log(p, lines) {
    let answer, at, found, is_log, items, line, mark, move, name, number, text;
    is_log = false;
    for (line of lines) {
      if (line.text.length <= p.table.most.form) {
        is_log = is_log || p.match("named", p.trim(line.text)) !== null;
      }
    }
    if (!(is_log)) {
      return null;
    }
    answer = said(p);
    answer.form = "moves";
    items = [];
    for (line of lines) {
      text = p.trim(line.text);
      if (text === "") {
        continue;
      }
      at = (line.begin + line.text.indexOf(text));
      found = (text.length <= p.table.most.form ? p.match("log_move", text) : null);
      if (found === null) {
        read_beside(p, answer, text, at, "board");
      } else {
        mark = side_of(found, "dark", "light");
        number = null;
        for (name of ["number", "number2"]) {
          if (has(found, name)) {
            number = p.number(found[name]);
          }
        }
        move = (found.point === "pass" ? STOP : point_of(p, found.point));
        items.push(item_of(move, at, (mark < 0 ? null : mark), number));
        answer.taken.push([at, (at + text.length)]);
      }
    }
    take_line(p, answer, items, 0);
    return answer;
  }
  function read_review(p, lines) {
    let answer, begun, found, items, line, move, text;
    answer = said(p);
    items = [];
    begun = -1;
    for (line of lines) {
      text = p.trim(line.text);
      if (text.length > p.table.most.form) {
        continue;
      }
      found = (begun >= 0 ? p.match("listed", text) : null);
      if (p.match("start", text) !== null && begun < 0) {
        begun = line.begin;
      } else if (found !== null) {
        move = (found.point === "pass" ? STOP : point_of(p, found.point));
        items.push(item_of(move, line.begin, side_of(found, "dark", "light"), p.number(found.number)));
      }
    }
    if (items.length === 0) {
      return null;
    }
    answer.taken.push([0, (lines.at(-1).at + lines.at(-1).whole.length)]);
    take_line(p, answer, items, 0);
    return answer;
  }
  function item_of(move, at, mark, number) {
    return {move: move, at: at, mark: mark, number: number, half: false, colon: false, own: false, depth: 0};
  }
  function is_script(p, lines) {
    let line;
    for (line of lines) {
      if (line.text.length <= p.table.most.form && p.match("script", p.trim(line.text)) !== null) {
        return true;
      }
    }
    return false;
  }
  function read_script(p, lines) {
    let answer, asked, at, command, is_answer, items, line, played, reply, text;
    answer = said(p);
    answer.form = "moves";
    items = [];
    asked = null;
    is_answer = false;
    for (line of lines) {
      text = p.trim(line.text);
      at = (line.begin + line.text.indexOf(text));
      if (text === "") {
        is_answer = false;
        continue;
      }
      command = command_of(p, text);
      if (command !== null) {
        is_answer = false;
        answer.taken.push([at, (at + text.length)]);
        if (asked !== null) {
          p.refuse("no-answer", asked.at, []);
        }
        if (has(command, "point")) {
          items.push(item_of(script_move(p, command.point, at), at, side_of(command, "dark", "light"), null));
        } else if (side_of(command, "dark", "light") >= 0) {
          asked = {mark: side_of(command, "dark", "light"), at: at};
        } else {
          items = after_other(p, answer, items, command, at);
        }
        continue;
      }
      reply = p.match("answer", text);
      if (p.match("failed", text) !== null) {
        p.refuse("command-failed", at, [text]);
      }
      if (reply !== null) {
        is_answer = true;
        answer.taken.push([at, (at + text.length)]);
        if (asked !== null) {
          played = p.match("played", p.trim(reply.said));
          if (played === null) {
            p.refuse("no-answer-move", at, [text]);
          }
          items.push(item_of(script_move(p, p.trim(reply.said), at), at, asked.mark, null));
          asked = null;
        }
      } else if (p.match("comment", text) === null && !(is_answer)) {
        if (p.match("anyplay", text) !== null) {
          p.refuse("plays-no-move", at, [text]);
        }
        refuse_command(p, answer, text, at);
      }
    }
    if (asked !== null) {
      p.refuse("no-answer", asked.at, []);
    }
    take_line(p, answer, items, 0);
    return answer;
  }
  function refuse_command(p, answer, text, at) {
    let found;
    found = form_of(p, text, "board");
    if (found === null || has(found, "moves")) {
      p.refuse("unknown-command", at, [text]);
    } else {
      read_beside(p, answer, text, at, "board");
    }
  }
  function command_of(p, text) {
    let found, name;
    if (text.length > p.table.most.form) {
      return null;
    }
    for (name of ["play", "genmove", "other"]) {
      found = p.match(name, text);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }
  function after_other(p, answer, items, command, at) {
    if (has(command, "undo")) {
      return items.slice(0, (items.length - 1));
    }
    if (has(command, "clear")) {
      return [];
    }
    if (has(command, "size") && p.number(command.size) !== 5) {
      p.refuse("size", at, [command.size]);
    }
    if (has(command, "other_komi")) {
      answer.other_komi = p.decimal(command.other_komi);
    }
    return items;
  }
  function script_move(p, vertex, at) {
    let move;
    if (vertex === "pass") {
      return STOP;
    }
    move = p.point((5 - p.number(vertex.slice(1))), "abcdefghjklmnopqrstuvwxyz".indexOf(vertex.slice(0, 1)), at);
    return move;
  }
  function read_moves_in(p, lines, folded) {
    let answer, at, begin, blanks, bodies, columns, found, items, labels, left, line, name, one, other, start, text;
    answer = said(p);
    bodies = [];
    left = [];
    labels = [];
    columns = [];
    for (line of lines) {
      blanks = p.begins("blanks", line.text);
      text = line.text.slice(blanks);
      at = (line.begin + blanks);
      if (text === "") {
        continue;
      }
      found = form_of(p, text, "moves");
      if (found !== null && has(found, "columns")) {
        columns = (left.length === 0 ? columns_of(p, found.columns) : []);
        if (columns.length === 0) {
          found = null;
        }
      }
      if (found === null) {
        left.push({at: at, text: text});
        continue;
      }
      begin = at;
      if (has(found, "label")) {
        labels.push({at: at, text: found.label});
        begin = ((at + found.label.length) + 1);
      }
      answer.taken.push([begin, (at + text.length)]);
      add_facts(p, answer.facts, facts_of(p, found, text, at), text, at);
      if (has(found, "stop_ply")) {
        answer.stop = p.number(found.stop_ply);
      }
      for (name of ["moves", "moves2", "moves3"]) {
        if (has(found, name) && (found[name] !== "" || p.holds("--moves", text))) {
          start = (has(found, "label") ? (text.indexOf(": ") + 1) : 0);
          bodies.push({at: ((at + start) + text.slice(start).indexOf(found[name])), text: found[name]});
        }
      }
    }
    if (labels.length > 1) {
      p.refuse("two-lines", labels[1].at, [labels[1].text, labels[0].text]);
    }
    for (one of labels) {
      refuse_deciding(p, one.text, one.at);
    }
    if (bodies.length > 0) {
      if (bodies.length > 1 || left.length > 0) {
        other = (left.length > 0 ? left[0] : bodies[1]);
        p.refuse("words-beside", other.at, [other.text]);
      }
      left = bodies;
    }
    if (left.length === 0 && bodies.length === 0) {
      p.refuse("no-move", -1, []);
    }
    items = tuple_items(p, left);
    if (columns.length > 0) {
      items = table_items(p, left, columns);
    } else if (items.length === 0) {
      items = items_of(p, joined(p, left, folded), 0);
    }
    if (items.length === 0 && bodies.length === 0) {
      p.refuse("no-move", -1, []);
    }
    for (one of left) {
      if (bodies.length === 0) {
        answer.taken.push([one.at, (one.at + one.text.length)]);
      }
    }
    answer.taken = p.in_order(answer.taken);
    take_items(p, answer, items, 0);
    return answer;
  }
  function joined(p, pieces, folded) {
    let one, text;
    text = "";
    for (one of pieces) {
      text += (p.blanks((one.at - text.length)) + one.text);
      if (text.length < folded.length) {
        text += "\n";
      }
    }
    return text;
  }
  function columns_of(p, line) {
    let name, role, roles;
    roles = [];
    for (name of p.cells(line)) {
      role = p.role("columns", name);
      if (role === "move" && among(roles, "move") && roles[0] === "move" && roles.length < 3) {
        roles[0] = "number";
      }
      if (role === "" || among(roles, role)) {
        return [];
      }
      roles.push(role);
    }
    if (among(roles, "move") || (among(roles, "row") && among(roles, "column"))) {
      return roles;
    }
    return [];
  }
  function table_items(p, lines, columns) {
    let behind, cell, cells, found, index, items, line, merged, name, number, text;
    items = [];
    for (line of lines) {
      cells = p.cells(line.text);
      if (among(columns, "move") && cells.length === (columns.length + 1)) {
        index = p.index_of(columns, "move");
        merged = [];
        for (number = 0; number < columns.length; number++) {
          behind = (number < index ? cells[number] : cells[(number + 1)]);
          merged.push((number === index ? `${cells[index]},${behind}` : behind));
        }
        cells = merged;
      }
      if (cells.length !== columns.length) {
        p.refuse("table-columns", line.at, [line.text, cells.length, columns.length]);
      }
      text = "";
      for (name of ["number", "side", "row", "column", "move"]) {
        for (index = 0; index < columns.length; index++) {
          if (columns[index] === name) {
            cell = cells[index];
            if (name === "side" && (cell === "1" || cell === "2")) {
              cell = (cell === "1" ? "b" : "w");
            }
            text += (name === "number" ? `${cell}.` : (name === "column" ? `,${cell}` : ` ${cell}`));
          }
        }
      }
      found = items_of(p, text, line.at);
      if (found.length !== 1) {
        p.refuse("table-row", line.at, [line.text]);
      }
      found[0].at = line.at;
      items.push(found[0]);
    }
    return items;
  }
  function tuple_items(p, lines) {
    let at, counts, first, index, row, rows, sides;
    rows = p.tuples(lines.map((line) => line.text).join("\n"));
    counts = rows.length >= 5;
    sides = [rows.length >= 6, rows.length >= 6];
    for (index = 0; index < rows.length; index++) {
      row = rows[index];
      counts = counts && row[0] === (index + 1);
      sides = [sides[0] && row[0] === (1 + (index % 2)), sides[1] && row[2] === (1 + (index % 2))];
    }
    if ([counts, sides[0], sides[1]].filter((one) => one).length !== 1) {
      return [];
    }
    first = (sides[1] ? 0 : 1);
    at = lines[0].at;
    return rows.map((row) => item_of(p.point(row[first], row[(first + 1)], at), at, null, null));
  }
  function items_of(p, body, begin) {
    let after, at, begun, count, depth, item, items, kind, name, row, state, states, token, where, word;
    states = p.table.state;
    items = [];
    state = "S";
    item = item_of(0, 0, null, null);
    row = 0;
    begun = 0;
    depth = 0;
    count = 0;
    at = 0;
    while (at < body.length) {
      token = p.token(body, at);
      kind = token[0];
      word = token[1];
      where = (begin + at);
      if (depth > 0 && kind === "/" && p.holds("\n", word)) {
        kind = "_";
      }
      if (!(p.holds(kind, "_/"))) {
        count += 1;
        if (count > p.table.most.words) {
          p.refuse("many-words", where, [p.table.most.words]);
        }
      }
      after = (among(states[state].next, kind) ? states[state].next[kind] : "");
      if (word === "null" && depth === 0) {
        after = "";
      }
      if (after === "") {
        name = (kind === "?" ? "no-word" : "word");
        p.refuse(name, where, [p.original(where, word.length), states[state].wanted]);
      }
      if (kind === "(") {
        depth += 1;
      } else if (kind === ")") {
        depth -= 1;
      } else if (kind === "n" || kind === "e") {
        item.number = p.number(word);
        item.half = kind === "e";
      } else if (kind === "B" || kind === "W") {
        if (item.mark !== null) {
          p.refuse("word", where, [word, states.M.wanted]);
        }
        if (state === "R") {
          item.number = row;
        }
        item.mark = (kind === "B" ? 0 : 1);
        item.colon = p.holds(":", word);
        item.list = p.holds("a", word.slice(0, 1));
      } else if (kind === "d" && after === "R") {
        if (state === "R") {
          if (item.number !== null) {
            p.refuse("word", where, [word, states.R.wanted]);
          }
          item.number = row;
        }
        row = p.number(word);
        begun = at;
      } else if (kind === "d" || kind === "v" || kind === "P") {
        if (kind !== "d") {
          if (state === "R") {
            item.number = row;
          }
          begun = at;
        }
        if (kind === "v") {
          item.move = p.point((5 - p.number(word.slice(1))), "abcdefghjklmnopqrstuvwxyz".indexOf(word.slice(0, 1)), where);
        } else if (kind === "d") {
          item.move = p.point(row, p.number(word), (begin + begun));
        } else {
          item.move = STOP;
        }
        item.at = (begin + begun);
        item.own = p.is_between(body, begun, (at + word.length));
        item.round = item.own && p.holds(p.before(body, begun), "(");
        item.depth = (depth - (item.own && p.holds(p.before(body, begun), "([{") ? 1 : 0));
        items.push(item);
        item = item_of(0, 0, null, null);
      }
      state = after;
      at += word.length;
    }
    if (!(p.holds(state, "SAZYCDF")) || item.number !== null || item.mark !== null) {
      p.refuse("text-ends", (begin + body.length), [states[state].wanted]);
    }
    return items;
  }
  function take_items(p, answer, items, first) {
    let item, lists, marks, side, stones;
    check_brackets(p, items);
    marks = items.filter((item) => item.mark !== null).map((item) => item.mark);
    lists = items.filter((item) => item.mark !== null && among(item, "list") && item.list);
    if (lists.length === 0 && (marks.length === 0 || (marks.length === items.length && !(is_by_colour(p, items))))) {
      take_line(p, answer, items, first);
      return;
    }
    if (first > 0 || !(are_lists(p, items))) {
      p.refuse("half-marked", items[0].at, [p.side_name(marks[0])]);
    }
    answer.form = "board";
    stones = [0, 0];
    side = 0;
    for (item of items) {
      if (item.mark !== null) {
        side = item.mark;
      }
      if (item.move === STOP || item.number !== null || (((stones[0] | stones[1]) >> item.move) & 1) === 1) {
        p.refuse("stone-twice", item.at, []);
      }
      stones[side] = (stones[side] | (1 << item.move));
    }
    answer.black = stones[0];
    answer.white = stones[1];
    answer.notes.push("read as stones on the board, listed by colour, and not as moves");
    check_stones(p, answer);
  }
  function is_by_colour(p, items) {
    return items.length === 2 && items[0].mark === 1 && items[1].mark === 0 && items[0].colon && items[1].colon;
  }
  function are_lists(p, items) {
    let colons, counts, item, side;
    if (items[0].mark === null) {
      return false;
    }
    counts = [0, 0];
    side = -1;
    colons = true;
    for (item of items) {
      if (item.mark !== null) {
        side = item.mark;
        if (counts[side] > 0) {
          return false;
        }
        colons = colons && item.colon;
      }
      counts[side] += 1;
    }
    return colons || (counts[0] >= 2 && counts[1] >= 2);
  }
  function check_brackets(p, items) {
    let first, item, other;
    for (item of items) {
      first = items[0];
      other = (first.move === STOP ? items.at(-1) : first);
      if (item.depth !== first.depth || (item.move !== STOP && other.move !== STOP && item.own !== other.own)) {
        p.refuse("variation", item.at, []);
      }
    }
  }
  function take_line(p, answer, items, first) {
    let index, is_pair, item, name, numbered, pairs, plies, ply;
    check_brackets(p, items);
    plies = true;
    pairs = true;
    numbered = false;
    for (index = 0; index < items.length; index++) {
      item = items[index];
      ply = (first + index);
      if (item.mark !== null && item.mark !== (ply % 2)) {
        name = p.side_name(item.mark);
        p.refuse("wrong-colour", item.at, [name, (ply + 1), p.side_name((1 - item.mark))]);
      }
      numbered = numbered || item.number !== null;
      if (item.number !== (ply + 1) || item.half) {
        plies = false;
      }
      is_pair = item.number === (Math.floor(ply / 2) + 1) && item.half === ((ply % 2) === 1);
      if (!(is_pair) && !((ply % 2) === 1 && item.number === null)) {
        pairs = false;
      }
    }
    if (numbered && !(plies) && !(pairs)) {
      p.refuse("numbers", items[0].at, []);
    }
    answer.form = "moves";
    answer.moves = items.map((item) => item.move);
    answer.places = items.map((item) => item.at);
  }
  function read_line_of_moves(p, text, first, lists) {
    let answer, items;
    answer = said(p);
    items = items_of(p, p.fold(text), 0);
    if (lists) {
      take_items(p, answer, items, first);
    } else {
      if (!among([0, items.length], items.filter((item) => item.mark !== null).length)) {
        p.refuse("half-marked-line", -1, [text]);
      }
      take_line(p, answer, items, first);
    }
    return answer;
  }
  function read_json(p, text) {
    let value;
    value = value_at(p, tokens_of(p, text), 0, 0);
    if (value.next < tokens_of(p, text).length) {
      p.refuse("json-more", value.end, []);
    }
    if (value.kind !== "object") {
      p.refuse("json-object", -1, [value.kind]);
    }
    return read_object(p, value);
  }
  function read_record(p, text) {
    let answer, value;
    value = value_at(p, tokens_of(p, text), 0, 0);
    answer = said(p);
    if (value.kind === "object") {
      take_facts(p, answer, roles_of(p, answer, value));
    }
    return answer;
  }
  function tokens_of(p, text) {
    let end, token, tokens;
    tokens = p.json_tokens(text);
    end = 0;
    for (token of tokens) {
      if (token[2] !== end && !(p.is_blank(text, end, token[2]))) {
        p.refuse("json-word", end, [text.slice(end, token[2])]);
      }
      end = (token[2] + token[1].length);
    }
    if (!(p.is_blank(text, end, text.length))) {
      p.refuse("json-word", end, [text.slice(end)]);
    }
    return tokens;
  }
  function value_at(p, tokens, index, depth) {
    let at, begin, close, found, items, kind, made, names, start, text, value, word;
    if (index >= tokens.length) {
      p.refuse("json-early", p.text.length, []);
    }
    if (depth > p.table.most.depth) {
      p.refuse("json-deep", tokens[index][2], [p.table.most.depth]);
    }
    kind = tokens[index][0];
    begin = tokens[index][2];
    if (kind !== "{" && kind !== "[") {
      if (kind === "," || kind === ":" || kind === "}" || kind === "]") {
        p.refuse("json-sign", begin, [kind]);
      }
      word = tokens[index][1];
      text = (kind === "text" ? p.unquoted(word, begin) : word);
      found = {kind: kind, begin: begin, end: (begin + word.length), next: (index + 1), items: []};
      found.text = text;
      found.word = word;
      return found;
    }
    close = (kind === "{" ? "}" : "]");
    made = (kind === "{" ? "object" : "list");
    items = [];
    names = [];
    at = (index + 1);
    while (at >= tokens.length || tokens[at][0] !== close) {
      if (items.length > 0) {
        if (at >= tokens.length || tokens[at][0] !== ",") {
          p.refuse("json-comma", (at < tokens.length ? tokens[at][2] : p.text.length), []);
        }
        at += 1;
      }
      start = (at < tokens.length ? tokens[at][2] : p.text.length);
      if (kind === "{") {
        if ((at + 1) >= tokens.length || tokens[at][0] !== "text" || tokens[(at + 1)][0] !== ":") {
          p.refuse("json-name", start, []);
        }
        names.push(p.unquoted(tokens[at][1], start));
        at += 2;
      }
      value = value_at(p, tokens, at, (depth + 1));
      value.pair = start;
      items.push(value);
      at = value.next;
    }
    return {kind: made, begin: begin, end: (tokens[at][2] + 1), next: (at + 1), items: items, names: names, text: "", word: ""};
  }
  function read_object(p, value) {
    let answer, roles;
    answer = said(p);
    roles = roles_of(p, answer, value);
    take_facts(p, answer, roles);
    read_position_in(p, answer, roles);
    return answer;
  }
  function roles_of(p, answer, value) {
    let end, index, inner, name, one, role, roles;
    roles = {};
    answer.taken.push([value.begin, (value.begin + 1)]);
    end = (value.begin + 1);
    for (index = 0; index < value.items.length; index++) {
      name = value.names[index];
      one = value.items[index];
      role = p.role("keys", p.simple(name));
      if (role === "") {
        p.refuse("unknown-key", one.pair, [name]);
      }
      answer.taken.push([end, one.pair]);
      end = one.end;
      if (role !== "harmless") {
        answer.taken.push([one.pair, one.end]);
      }
      if (role === "moves" && one.kind === "object") {
        continue;
      }
      if (role === "size" || role === "xy" || role === "nothing") {
        check_nothing(p, role, name, one);
        roles[role] = one;
      } else if (role === "harmless" || role === "ours") {
        for (inner of (one.kind === "object" ? one.names : [])) {
          if (among(["komi", "plies", "size", "nothing", "mover", "turn", "first", "ply"], p.role("keys", p.simple(inner)))) {
            p.refuse("other-rules", one.pair, [name]);
          }
        }
        continue;
      } else if (among(roles, role)) {
        p.refuse("twice", one.pair, [name]);
      } else {
        roles[role] = one;
      }
    }
    answer.taken.push([end, value.end]);
    return roles;
  }
  function check_nothing(p, role, name, one) {
    let size, sizes, word;
    word = p.trim(one.text);
    if (role !== "nothing") {
      sizes = (one.kind === "list" ? one.items.map((part) => part.word) : [word]);
      for (size of sizes) {
        if (size !== "5") {
          p.refuse("size-of", one.pair, [name, size]);
        }
      }
    } else if (!((one.kind === "list" && one.items.length === 0) || (among(["", "0", "null", "false"], word) && one.kind !== "object" && one.kind !== "list"))) {
      p.refuse("setup", one.pair, [name]);
    }
  }
  function take_facts(p, answer, roles) {
    let facts, found, name, side, word;
    facts = answer.facts;
    for (name of ["plies", "komi"]) {
      if (among(roles, name)) {
        word = roles[name].word;
        if (roles[name].kind !== "number" || (name === "plies" && !(p.is_whole(word)))) {
          p.refuse("plies-komi", roles[name].pair, [word]);
        }
        facts[name] = (name === "plies" ? p.number_of(word) : p.decimal(word));
        facts.heading = true;
      }
    }
    if (among(roles, "turn") && roles.turn.kind === "number") {
      p.refuse("unknown-key", roles.turn.pair, ["turn"]);
    }
    for (name of ["mover", "turn", "first"]) {
      if (among(roles, name) && roles[name].word !== "null") {
        word = p.simple(roles[name].text);
        found = p.match("json_side", word);
        if (found === null) {
          p.refuse("no-side", roles[name].pair, [roles[name].text]);
        }
        side = side_of(found, "dark", "light");
        if (name !== "first") {
          add_facts(p, facts, {mover: side}, roles[name].text, roles[name].pair);
        } else if (side === 1) {
          p.refuse("white-first", roles[name].pair, []);
        }
      }
    }
  }
  function read_position_in(p, answer, roles) {
    let answers, black, inner, is_empty, is_listed, is_position, key, name;
    answers = [];
    black = (among(roles, "black") ? roles.black : null);
    is_listed = black !== null && (black.kind === "list" || are_stones(p, black));
    is_position = (among(roles, "ply") && roles.ply.kind === "number") || (black !== null && black.kind !== "text");
    if (is_listed && black !== null) {
      answers.push("stones");
      for (name of ["black", "white"]) {
        answer[name] = (among(roles, name) ? stones_listed(p, roles[name]) : 0);
      }
      if ((answer.black & answer.white) !== 0) {
        p.refuse("both-colours", black.pair, []);
      }
      take_numbers(p, answer, roles, ["ply"]);
      answer.form = "board";
    } else if (is_position) {
      answers.push("position");
      take_numbers(p, answer, roles, ["black", "white", "ply"]);
    } else if (among(roles, "position") && roles.position.kind === "object") {
      inner = read_object(p, roles.position);
      if (inner.form !== "position" && inner.form !== "board") {
        p.refuse("position-kind", roles.position.pair, []);
      }
      answers.push("position");
      for (name of ["black", "white", "ko", "form"]) {
        answer[name] = inner[name];
      }
      add_facts(p, answer.facts, inner.facts, "position", roles.position.pair);
    }
    if (among(roles, "position") && roles.position.kind !== "object") {
      p.refuse("unknown-key", roles.position.pair, ["position"]);
    }
    if (among(roles, "rows")) {
      answers.push("rows");
      read_rows_in(p, answer, roles.rows);
    }
    is_empty = among(roles, "moves") && p.trim(p.fold(roles.moves.text)) === "" && roles.moves.items.length === 0;
    if (among(roles, "moves") && !(is_empty && answers.length > 0)) {
      read_moves_value(p, answer, roles.moves, answers.length > 0, among(roles, "xy"));
    }
    if (among(roles, "key")) {
      key = roles.key;
      if (key.kind === "number" && !(p.is_whole(key.word))) {
        p.refuse("key-digits", key.pair, [key.word]);
      }
      if (key.kind !== "number" && key.kind !== "text") {
        p.refuse("key-kind", key.pair, []);
      }
      if (key.kind === "number" && p.is_rounded(key.word)) {
        p.refuse("key-digits", key.pair, [key.word]);
      }
      answer.key = key.text;
      if (answer.form === "") {
        answer.form = "key";
      }
    }
    if (answers.length > 1) {
      p.refuse("two-in-json", -1, [answers[0], answers[1]]);
    }
    if (answer.form === "") {
      p.refuse("no-position", -1, []);
    }
  }
  function take_numbers(p, answer, roles, wanted) {
    let name, one, word;
    for (name of wanted) {
      if (!among(roles, name)) {
        if (name === "ply" && among(roles, "white")) {
          continue;
        }
        if (wanted.length > 1) {
          p.refuse("missing", -1, [name]);
        }
        continue;
      }
      one = roles[name];
      word = (name !== "ply" && p.match("hex", one.text) !== null ? one.text : one.word);
      if (word === one.word && (one.kind !== "number" || !(p.is_whole(word)))) {
        p.refuse("integer", one.pair, [name, one.word]);
      }
      if (name === "ply") {
        answer.facts.ply = p.number_of(word);
      } else {
        answer[name] = p.number_of(word);
      }
    }
    if (among(roles, "ko") && roles.ko.word !== "null") {
      if (roles.ko.kind !== "number" || !(p.is_whole(roles.ko.word))) {
        p.refuse("ko-number", roles.ko.pair, [roles.ko.word]);
      }
      answer.ko = p.number_of(roles.ko.word);
    }
    if (among(roles, "passed")) {
      if (!among(["true", "false"], roles.passed.word)) {
        p.refuse("passed-value", roles.passed.pair, [roles.passed.word]);
      }
      answer.facts.passed = roles.passed.word === "true";
    }
    answer.form = "position";
    if (!(has(answer.facts, "ply"))) {
      answer.form = "board";
    }
  }
  function are_stones(p, one) {
    let found;
    found = one.kind === "text" && p.tries(items_of, p.fold(one.text), one.begin);
    return found;
  }
  function stones_listed(p, one) {
    let item, items, stones;
    if (one.kind === "text" && p.trim(one.text) === "") {
      return 0;
    }
    if (one.kind !== "list" && !(are_stones(p, one))) {
      p.refuse("list-of-points", one.pair, []);
    }
    stones = 0;
    items = items_of(p, p.fold(p.original(one.begin, (one.end - one.begin))), one.begin);
    for (item of items) {
      if (item.move === STOP || item.mark !== null || ((stones >> item.move) & 1) === 1) {
        p.refuse("stone-twice", item.at, []);
      }
      stones = (stones | (1 << item.move));
    }
    return stones;
  }
  function read_rows_in(p, answer, one) {
    let begin, board, folded, is_text, line, lines, row, text;
    text = p.original(one.begin, (one.end - one.begin));
    begin = one.begin;
    is_text = one.kind === "text";
    if (is_text) {
      text = one.text;
    } else if (one.kind === "list" && one.items.length === 5 && one.items[0].kind === "text") {
      is_text = true;
      text = one.items.map((item) => item.text).join("\n");
    }
    folded = p.fold(text);
    lines = lines_of(p, folded, begin);
    board = rows_of(p, lines);
    if (is_text || board.rows.length === 0) {
      p.within(text);
      lines = lines_of(p, folded, 0);
      board = rows_of(p, lines);
    }
    if (board.rows.length === 0) {
      p.refuse("json-board", one.pair, []);
    }
    for (line of lines) {
      for (row of board.rows) {
        if (line.begin <= row.begin && row.begin <= (line.begin + line.text.length)) {
          line.has_row = true;
        }
      }
      if (!among(line, "has_row") && p.match("blank", line.text) === null) {
        p.refuse("rows-beside", one.pair, [line.text]);
      }
    }
    take_stones(p, answer, board, false);
    answer.form = "board";
    p.within("");
  }
  function read_moves_value(p, answer, one, is_beside, is_xy) {
    let body, inner, item, items, name, note;
    if (one.kind !== "text" && one.kind !== "list") {
      p.refuse("moves-kind", one.pair, []);
    }
    for (item of (one.kind === "list" ? one.items : [])) {
      if (item.kind === "number") {
        p.refuse("flat-numbers", item.begin, [item.word]);
      }
      if (item.kind === "object" || item.word === "true" || item.word === "false") {
        p.refuse("json-move", item.begin, [item.word]);
      }
    }
    for (item of (one.kind === "list" && is_xy ? one.items : [])) {
      if (item.kind === "list" && item.items.length > 0 && item.items[0].kind === "number") {
        p.refuse("column-row", item.begin, []);
      }
    }
    if (one.kind === "text") {
      body = one.text;
      p.within(body);
      inner = read_line_of_moves(p, body, 0, !(is_beside));
      p.within("");
    } else {
      body = p.original(one.begin, (one.end - one.begin));
      items = items_of(p, p.fold(body), one.begin);
      inner = said(p);
      take_items(p, inner, items, 0);
    }
    if (is_beside && inner.form !== "moves") {
      p.refuse("stones-and-lists", one.pair, []);
    }
    if (is_beside) {
      answer.beside = inner.moves;
      return;
    }
    answer.form = inner.form;
    for (name of ["moves", "places", "black", "white"]) {
      answer[name] = inner[name];
    }
    for (note of inner.notes) {
      answer.notes.push(note);
    }
  }
  return { read_text, read_around, read_beside, read_drawn, read_shown, read_log, read_review, read_script, read_moves_in, items_of, read_line_of_moves, read_json, read_record, read_object, read_position_in, read_rows_in, read_moves_value };
})();
