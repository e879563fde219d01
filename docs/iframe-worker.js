// Browsers start no worker from a file on disk. There its script runs in a frame of the page, as the site's search knows it.
if (location.protocol === "file:")
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const page = frame.contentDocument;
      this.inside = frame.contentWindow;
      page.open();
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.loaded = new Promise((resolve) => (this.inside.loaded = resolve));
      page.write(`<body><script src="${url}" onload="loaded()"></script>`);
      page.close();
    }

    postMessage(data) {
      this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
