// Made of book/answers/judging.py by `python -m tools.reading_js`.
// @ts-nocheck mypy checks the types of the source.

export const judging = (() => {
  const among = (all, one) => (Array.isArray(all) ? all.includes(one) : Object.hasOwn(all, one));
  const MOST_KINDS = 3;
  function judged(a,b,c,d) {
    return {cost: (a?(b[0]-c[1]):(c[0]-b[1])),exact: b[0]===b[1]&&c[0]===c[1],decisive: (winner_of(b,d)+winner_of(c,d))===3};
  }
  function winner_of(a,b) {
    return (a[0]>=b?1:(a[1]<b?2:0));
  }
  function turning_point(a) {
    let b,c;
    b=-1;
    for (c=0;c<a.length;c++) {
      if (a[c].decisive) {
        b=c;
      }
    }
    return b;
  }
  function worst_of(a) {
    let b,c;
    c=turning_point(a);
    if (c>=0) {
      return c;
    }
    for (b=0;b<a.length;b++) {
      if (c<0||a[b].cost>a[c].cost) {
        c=b;
      }
    }
    return c;
  }
  function kind_of(a,b) {
    return (a==="PASS"?"passes":b);
  }
  function mistake_record(a,b) {
    let c,d;
    d={theme: null,worse: "",better: "",answer: [],instead: [],kind: "other"};
    c=(b===null?d:b);
    return {ply: a.ply,mover: a.mover,move: a.move,cost: a.cost,exact: a.exact,decisive: a.decisive,kind: kind_of(a.move,c.kind),best_move: (c.instead.length>0?c.instead[0]:null),pv: c.instead,answer: c.answer,theme: c.theme,why: (b===null?null:`${c.worse} ${c.better}`),named: (b===null?null:points_named(c.worse,c.better))};
  }
  function kinds_to_learn(a) {
    let b,c,d,e;
    e=of_kinds(a);
    c=[];
    while (c.length<MOST_KINDS&&c.length<e.length) {
      b=-1;
      for (d=0;d<e.length;d++) {
        if (!among(c, e[d])&&(b<0||comes_before(e[d],e[b]))) {
          b=d;
        }
      }
      c.push(e[b]);
    }
    return c;
  }
  function of_kinds(a) {
    let b,c,d,e;
    c=[];
    for (d=0;d<a.length;d++) {
      e=a[d];
      b=0;
      while (b<c.length&&c[b].kind!==e.kind) {
        b += 1;
      }
      if (e.kind!=="other") {
        if (b===c.length) {
          c.push({kind: e.kind,mistakes: 0,decisive: 0,cost: 0,worst: d});
        }
        c[b].mistakes += 1;
        c[b].cost += e.cost;
        if (e.decisive) {
          c[b].decisive += 1;
        }
        if (shows_better(e,a[c[b].worst])) {
          c[b].worst=d;
        }
      }
    }
    return c;
  }
  function comes_before(a,b) {
    if (a.cost!==b.cost) {
      return Boolean(a.cost>b.cost);
    }
    if (a.mistakes!==b.mistakes) {
      return Boolean(a.mistakes>b.mistakes);
    }
    return Boolean(a.kind<b.kind);
  }
  function shows_better(a,b) {
    if (a.decisive!==b.decisive) {
      return Boolean(a.decisive);
    }
    if (a.cost!==b.cost) {
      return Boolean(a.cost>b.cost);
    }
    return Boolean(a.ply>b.ply);
  }
  function points_named(a,b) {
    return {worse: points_in(a),better: points_in(b)};
  }
  function points_in(a) {
    let b,c,d,e,f;
    c=[];
    for (b=0;b<(a.length-2);b++) {
      f=a.slice(b,(b+3));
      e=is_within(f,0,"0","4")&&f[1]===","&&is_within(f,2,"0","4");
      d=is_part_of_number(a,(b-1),".")||is_part_of_number(a,(b+3),",");
      if (e&&!(d)&&!among(c, f)) {
        c.push(f);
      }
    }
    return c;
  }
  function is_within(a,b,c,d) {
    return b>=0&&b<a.length&&a[b]>=c&&a[b]<=d;
  }
  function is_part_of_number(a,b,c) {
    return is_within(a,b,"0","9")||is_within(a,b,",",",")||is_within(a,b,c,c);
  }
  return { judged,turning_point,worst_of,mistake_record,kinds_to_learn,points_named };
})();
