// Small helpers for the document.

export const byId = (id) => document.getElementById(id);

// Have an element of the page do something at an event; returns the element.
export function on(id, event, does) {
  const element = byId(id);
  element.addEventListener(event, does);
  return element;
}

// An element with attributes, listeners (onclick: …) and children.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function setLabel(element, label) {
  if (element.getAttribute("aria-label") !== label) element.setAttribute("aria-label", label);
}

// Tell whether a button is looked at: by the mouse, or by the focus when it shows.
export function watch(button, tell) {
  button.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && tell(true));
  button.addEventListener("pointerleave", () => tell(false));
  button.addEventListener("focus", () => button.matches(":focus-visible") && tell(true));
  button.addEventListener("blur", () => tell(false));
}

// Put children in place of what an element has, unless they are those that `wanted` says it has already.
export function fill(element, wanted, children) {
  if (element.dataset.shown === wanted) return;
  element.dataset.shown = wanted;
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
