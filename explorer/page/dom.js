// Small functions for the elements of the document.

// The type is any, because each caller expects another kind of element.
/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

/** @type {(selector: string) => any[]} */
export const allOf = (selector) => [...document.querySelectorAll(selector)];

// Add a listener to an element, and return the element.
/** @returns {any} */
export function on(id, event, listener) {
  const element = byId(id);
  element.addEventListener(event, listener);
  return element;
}

// All stored texts name points by row and column, such as 2,2. If isByLetters is true, the page shows the point 2,2 as C3.
const naming = { isByLetters: false };
const POINT = /(?<![\d.,])([0-4]),([0-4])(?![\d,])/g;

export function nameByLetters(isOn) {
  naming.isByLetters = isOn;
}

export function named(text) {
  return naming.isByLetters ? text.replace(POINT, (_, row, column) => `${"ABCDE"[column]}${5 - row}`) : text;
}

// Return a new element with attributes, children, and a listener for each attribute such as onclick.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, name === "aria-label" ? named(value) : value);
  }
  const shown = children.filter((child) => child !== null && child !== undefined);
  element.append(...shown.map((child) => (typeof child === "string" ? named(child) : child)));
  return element;
}

export function setText(element, plain) {
  const text = named(plain);
  if (element.textContent !== text) element.textContent = text;
}

export function setLabel(element, plain) {
  const label = named(plain);
  if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
}

const LONG_PRESS_MILLISECONDS = 450;

// Call tell(true) when the user begins to point at a button, and tell(false) when the user stops. The user points with the
// mouse, with a visible focus, or with a long press, which does not count as a click.
export function watch(button, tell) {
  let pressing = null;
  let isLong = false;
  button.addEventListener("pointerdown", (event) => {
    isLong = false;
    clearTimeout(pressing);
    if (event.pointerType !== "mouse")
      pressing = setTimeout(() => {
        isLong = true;
        tell(true);
      }, LONG_PRESS_MILLISECONDS);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"])
    button.addEventListener(name, (event) => {
      if (name !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 4) clearTimeout(pressing);
    });
  button.addEventListener("contextmenu", (event) => isLong && event.preventDefault());
  button.addEventListener(
    "click",
    (event) => {
      if (!isLong) return;
      isLong = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  // Listen to "pointermove" and not to "pointerenter": a change of the page can move a button under a resting pointer, and then
  // the button gets a "pointerenter" although the user does not point at it.
  let isUnderMouse = false;
  button.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "mouse" || isUnderMouse) return;
    isUnderMouse = true;
    tell(true);
  });
  button.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "mouse") return;
    isUnderMouse = false;
    tell(false);
  });
  button.addEventListener("focus", () => button.matches(":focus-visible") && tell(true));
  button.addEventListener("blur", () => tell(false));
}

// Replace the children of an element, unless the last call had the same `wanted`. wanted: a text that identifies the content.
// children: a function that returns the new children.
export function fill(element, wanted, children) {
  const key = `${naming.isByLetters} ${wanted}`;
  if (element.dataset.shown === key) return;
  element.dataset.shown = key;
  element.replaceChildren(...children());
}

export async function copy(text, source) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // If the page has no permission for the clipboard, the older method execCommand() can still work.
    source.select();
    if (!document.execCommand("copy")) return false;
  }
  return true;
}

export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
