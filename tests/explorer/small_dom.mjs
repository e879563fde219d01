// A small document for the page's modules in Node.js. It creates an element when a module asks for its id, and elements have
// listeners.

class Element {
  constructor(id = "") {
    Object.assign(this, { id, hidden: false, disabled: false, value: "", text: "", innerHTML: "", open: false, files: [], style: {} });
    this.dataset = {};
    /** @type {any[]} */
    this.children = [];
    this.attributes = {};
    this.listeners = {};
    this.names = new Set();
    this.parentElement = null;
    this.classList = {
      add: (name) => this.names.add(name),
      remove: (name) => this.names.delete(name),
      contains: (name) => this.names.has(name),
      toggle: (name, isOn) => (isOn ? this.names.add(name) : this.names.delete(name)),
    };
  }

  get className() {
    return [...this.names].join(" ");
  }

  set className(names) {
    this.names = new Set(names.split(" "));
  }

  addEventListener(event, does, isFirst = false) {
    const listeners = (this.listeners[event] ??= []);
    if (isFirst) listeners.unshift(does);
    else listeners.push(does);
  }

  // Call the listeners of an event until one of them stops it, and wait for those that return promises.
  async tell(event, details = {}) {
    let isStopped = false;
    const told = { target: this, preventDefault() {}, stopPropagation() {}, stopImmediatePropagation: () => (isStopped = true), ...details };
    const answers = [];
    for (const does of this.listeners[event] ?? []) if (!isStopped) answers.push(does(told));
    await Promise.all(answers);
  }

  // The properties of a page's element that reflect an attribute have its value, as far as the modules use them.
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === "value") this.value = String(value);
    if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
  }

  toggleAttribute(name, isOn) {
    if (isOn) this.attributes[name] = "";
    else delete this.attributes[name];
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  append(...children) {
    this.replaceChildren(...this.children, ...children);
  }

  replaceChildren(...children) {
    this.children = children;
    for (const child of children) if (child instanceof Element) child.parentElement = this;
  }

  remove() {
    this.parentElement.children = this.parentElement.children.filter((child) => child !== this);
  }

  contains(other) {
    return this === other || this.children.some((child) => child instanceof Element && child.contains(other));
  }

  get firstChild() {
    return this.children[0] ?? null;
  }

  get lastChild() {
    return this.children.at(-1) ?? null;
  }

  get textContent() {
    return this.children.length ? this.children.map((child) => child.textContent ?? child).join("") : this.text;
  }

  set textContent(text) {
    [this.text, this.children] = [text, []];
  }

  get firstElementChild() {
    return this.children.find((child) => child instanceof Element) ?? null;
  }

  get options() {
    return this.children;
  }

  // Find a made descendant by its class. An element that exists in the page's HTML gets a substitute instead.
  querySelector(selector) {
    const isIt = (one) => selector === `.${one.attributes.class}`;
    const below = (one) => one.children.filter((child) => child instanceof Element).flatMap((child) => [child, ...below(child)]);
    return below(this).find(isIt) ?? document.getElementById(`${this.id} ${selector}`);
  }

  matches() {
    return true;
  }

  closest() {
    return null;
  }

  focus() {
    document.activeElement = this;
  }

  click() {
    return this.tell("click");
  }

  scrollIntoView() {}

  getBoundingClientRect() {
    return { left: 0, top: 0, width: 600, height: 230 };
  }

  select() {}

  showModal() {
    this.open = true;
  }

  close() {
    if (this.open) this.tell("close");
    this.open = false;
  }
}

const elements = new Map();
// By a selector: the elements that querySelectorAll() finds.
const selected = new Map();
const page = new Element();

globalThis.document = /** @type {any} */ ({
  documentElement: new Element(),
  body: new Element(),
  activeElement: null,
  getElementById: (id) => elements.get(id) ?? elements.set(id, new Element(id)).get(id),
  querySelectorAll: (selector) => selected.get(selector) ?? [],
  createElement: (tag) => new Element(tag),
});
globalThis.matchMedia = /** @type {any} */ (() => ({ matches: false }));
globalThis.scrollTo = () => {};
globalThis.addEventListener = page.addEventListener.bind(page);

export const byId = document.getElementById;
export const tellPage = page.tell.bind(page);

// Let querySelectorAll() find these elements.
export const select = (selector, found) => void selected.set(selector, found);

// Forget all elements and listeners.
export function reset() {
  elements.clear();
  selected.clear();
  page.listeners = {};
  document.activeElement = null;
}
