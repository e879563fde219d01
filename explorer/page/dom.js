// Small helpers for the document.

// What kind of element it is, is known where it is used.
/** @type {(id: string) => any} */
export const byId = (id) => document.getElementById(id);

// All elements that a selector names.
/** @type {(selector: string) => any[]} */
export const allOf = (selector) => [...document.querySelectorAll(selector)];

// Have an element of the page do something at an event; returns the element.
/** @returns {any} */
export function on(id, event, does) {
  const element = byId(id);
  element.addEventListener(event, does);
  return element;
}

// Points are named 2,2 in all that the page keeps; people may read them as C3.
const naming = { isByLetters: false };
const POINT = /(?<![\d.,])([0-4]),([0-4])(?![\d,])/g;

export function nameByLetters(isOn) {
  naming.isByLetters = isOn;
}

export function named(text) {
  return naming.isByLetters ? text.replace(POINT, (_, row, column) => `${"ABCDE"[column]}${5 - row}`) : text;
}

// An element with attributes, listeners (onclick: …) and children.
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

// Tell whether a button is looked at: by the mouse, by the focus when it shows, or by a long press, which is no click.
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
  // A button that comes under a resting pointer, because the page changes, gets "pointerenter", but no "pointermove".
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

// Put children in place of what an element has, unless they are those that `wanted` says it has already.
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
    // Without leave to use the clipboard the old way may still work.
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
