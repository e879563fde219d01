// A small document for the page's modules in Node.js. It creates an element when a module asks for its id, and elements have
// listeners.

class Element {
  constructor(id = "") {
    Object.assign(this, { id, hidden: false, disabled: false, value: "", textContent: "", innerHTML: "", open: false, files: [] });
    this.dataset = {};
    this.children = [];
    this.attributes = {};
    this.listeners = {};
    const names = new Set();
    this.classList = {
      add: (name) => names.add(name),
      remove: (name) => names.delete(name),
      contains: (name) => names.has(name),
      toggle: (name, isOn) => (isOn ? names.add(name) : names.delete(name)),
    };
  }

  addEventListener(event, does) {
    (this.listeners[event] ??= []).push(does);
  }

  // Call all listeners of an event, and wait for those that return promises.
  async tell(event, details = {}) {
    await Promise.all((this.listeners[event] ?? []).map((does) => does({ target: this, preventDefault() {}, ...details })));
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  querySelector(selector) {
    return document.getElementById(`${this.id} ${selector}`);
  }

  closest() {
    return null;
  }

  focus() {}

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
const page = new Element();

globalThis.document = /** @type {any} */ ({
  documentElement: new Element(),
  activeElement: null,
  getElementById: (id) => elements.get(id) ?? elements.set(id, new Element(id)).get(id),
  querySelectorAll: () => [],
  createElement: (tag) => new Element(tag),
});
globalThis.addEventListener = page.addEventListener.bind(page);

export const byId = document.getElementById;
export const tellPage = page.tell.bind(page);
