// What pages do by themselves: they change, clocks run, a press is sent once. Without this script
// all of it works by loading the page anew.
"use strict";

const main = document.querySelector("[data-live]");
if (main) {
  const network = document.getElementById("network");
  const waiting = [];
  let log = main.dataset.log;
  let heard = Date.now();
  let isOver = false;
  let isSending = false;
  let chosen = null;

  const tell = (name) => {
    const text = name ? network.dataset[name] || name : "";
    if (network.textContent !== text) network.textContent = text;
  };
  const state = () => {
    if (isOver) return;
    if (Date.now() - heard > 12000) tell(waiting.length ? "kept" : "offline");
    else if (waiting.length && waiting[0].tries > 1) tell("kept");
    else if (!network.dataset.note) tell("");
  };

  // Parts keep their nodes, so that whoever reads one is not thrown out of it.
  const opened = new Set();
  document.addEventListener("toggle", (event) => {
    if (!event.target.id) return;
    if (event.target.open) opened.add(event.target.id); else opened.delete(event.target.id);
  }, true);
  const place = (element) => {
    if (!element || !main.contains(element)) return null;
    return [element.closest("section").id, element.dataset.square, element.textContent.trim(), field(element)];
  };
  // A field of a form, by a name that stays as long as the form is there.
  const field = (it) => it.name && it.form && it.form.id ? it.form.id + " " + it.name : "";
  const fields = (part) => [...part.querySelectorAll(".fields :is(input, select, textarea)")]
    .filter((it) => it.name && it.type !== "hidden" && it.type !== "file");
  const has = (it, value) => it.tagName !== "SELECT" || [...it.options].some((one) => one.value === value);
  const focus = (where) => {
    if (!where || main.contains(document.activeElement)) return;
    const part = document.getElementById(where[0]);
    const all = part ? [...part.querySelectorAll("button, summary, a, input, select, textarea")] : [];
    const same = where[3] ? all.find((it) => field(it) === where[3])
      : where[1] ? all.find((it) => it.dataset.square === where[1] && it.closest("figure"))
      : all.find((it) => it.textContent.trim() === where[2] && it.tagName !== "INPUT");
    // Never another button: the key that pressed this one may be on its way again.
    if (same) same.focus({ preventScroll: true });
    else if (part) { part.tabIndex = -1; part.focus({ preventScroll: true }); }
  };
  // Whatever comes under a finger that is already on its way is not pressed by it.
  const SETTLES = 400;
  const lines = (part) => [...part.querySelectorAll("form.press [name=line]")].map((it) => it.value).join("\n");
  const settles = (part) => {
    part.dataset.fresh = Number(part.dataset.fresh || 0) + 1;
    setTimeout(() => {
      part.dataset.fresh -= 1;
      if (part.dataset.fresh === "0") delete part.dataset.fresh;
    }, SETTLES);
  };
  const change = (parts) => {
    const where = place(document.activeElement);
    for (const [id, inside] of Object.entries(parts)) {
      const part = document.getElementById(id);
      if (!part) continue;
      if (id === "urgent") {
        const text = document.createElement("p");
        text.innerHTML = inside;
        if (part.textContent !== text.textContent) part.textContent = text.textContent;
        continue;
      }
      const before = lines(part);
      // What is half filled in stays so.
      const filled = new Map(fields(part).map((it) => [field(it), it.value]));
      part.innerHTML = inside;
      for (const it of fields(part)) {
        const value = filled.get(field(it));
        if (value !== undefined && has(it, value)) it.value = value;
      }
      if (lines(part) !== before) settles(part);
      for (const it of part.querySelectorAll("details")) if (opened.has(it.id)) it.open = true;
    }
    begin();
    mark();
    rove();
    focus(where);
  };

  const list = document.getElementById("log");
  const filter = document.querySelector(".filter select");
  const shows = (label) => !filter.value || filter.value === label;
  const append = (lines) => {
    for (const line of lines) {
      if (line.number <= log) continue;
      log = line.number;
      const item = document.createElement("p");
      const label = document.createElement("b");
      item.dataset.label = label.textContent = line.label;
      item.append(label, " " + line.text);
      item.hidden = !shows(line.label);
      list.append(item);
      if (![...filter.options].some((it) => it.value === line.label)) {
        filter.append(new Option(line.label, line.label));
      }
    }
    while (list.children.length > 1000) list.firstChild.remove();
    if (lines.length) list.scrollTop = list.scrollHeight;
  };
  filter.form.querySelector("button").hidden = true;
  filter.addEventListener("change", () => {
    for (const item of list.children) item.hidden = !shows(item.dataset.label);
  });
  list.scrollTop = list.scrollHeight;

  // Clocks.
  let clocks = [];
  const begin = () => {
    const now = performance.now();
    const times = [...document.querySelectorAll("[data-left]")];
    clocks = times.map((node) => {
      const known = clocks.find((it) => it.node === node);
      return known || { node, left: Number(node.dataset.left), since: now, runs: node.dataset.runs };
    });
  };
  const figures = (ms) => {
    const tenths = Math.floor(ms / 100);
    const two = (number) => String(number).padStart(2, "0");
    if (tenths < 100) return "0:" + two(Math.floor(tenths / 10)) + "." + tenths % 10;
    const all = Math.floor(ms / 1000);
    const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60;
    return hours ? hours + ":" + two(minutes) + ":" + two(all % 60) : minutes + ":" + two(all % 60);
  };
  const run = () => {
    for (const it of clocks) {
      if (!it.runs) continue;
      const text = figures(Math.max(0, it.left - (performance.now() - it.since)));
      if (it.node.textContent !== text) it.node.textContent = text;
    }
    state();
  };
  begin();
  setInterval(run, 100);

  const note = (text) => {
    network.dataset.note = "1";
    tell(text);
    setTimeout(() => { delete network.dataset.note; }, 6000);
  };

  // Presses: each has a name, and is sent until the program has it.
  const name = () => [...crypto.getRandomValues(new Uint32Array(4))].map((it) => it.toString(36)).join("");
  const send = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.length && !isOver) {
      const press = waiting[0];
      press.tries += 1;
      try {
        const answer = await fetch(main.dataset.do, {
          method: "POST", headers: { "x-annexd": "1" }, body: press.body, redirect: "manual",
        });
        if (answer.status === 409) {
          note(await answer.text());
        } else if (answer.status !== 204) {
          isOver = true;
          tell("gone");
        }
        waiting.shift();
      } catch (error) {
        state();
        await new Promise((done) => setTimeout(done, 1000));
      }
    }
    isSending = false;
  };
  const press = (body) => {
    body.set("form", main.dataset.form);
    body.set("once", name());
    // The program would cut the connection, and it would be sent for ever.
    if (String(body).length > Number(main.dataset.most)) return note(network.dataset.unread);
    waiting.push({ body, tries: 0 });
    send();
  };
  const line = (text) => press(new URLSearchParams({ line: text }));

  // A move is two squares; only a new piece is asked for by the page itself.
  const mark = () => {
    for (const it of document.querySelectorAll(".board td.chosen")) it.classList.remove("chosen");
    for (const it of document.querySelectorAll(".board .hint")) {
      it.textContent = chosen && it.closest(".board").id === chosen.board ? it.dataset.to : it.dataset.from;
    }
    if (!chosen) return;
    const board = document.getElementById(chosen.board);
    const button = board && board.querySelector(`[data-square="${chosen.square}"]`);
    if (button) { button.closest("td").classList.add("chosen"); button.setAttribute("aria-pressed", "true"); }
  };
  // The tabulator goes to a board once; on it the arrows go from square to square.
  const stood = {};
  const squares = (board) => [...board.querySelectorAll("td [data-square]")];
  const rove = () => {
    for (const board of document.querySelectorAll(".board")) {
      const all = squares(board);
      const at = all.find((it) => it.dataset.square === stood[board.id]) || all[0];
      for (const it of all) it.tabIndex = it === at ? 0 : -1;
    }
  };
  main.addEventListener("focusin", (event) => {
    const board = event.target.dataset.square && event.target.closest(".board");
    if (board) { stood[board.id] = event.target.dataset.square; rove(); }
  });
  main.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    if (!step || !event.target.dataset.square) return;
    event.preventDefault();
    const all = squares(event.target.closest(".board"));
    const at = all.indexOf(event.target);
    const isInRow = Math.abs(step) === 8 || Math.floor(at / 8) === Math.floor((at + step) / 8);
    if (isInRow && all[at + step]) all[at + step].focus();
  });
  rove();
  const promote = (board, move) => {
    const asked = document.createElement("div");
    asked.className = "promotion";
    asked.append(board.dataset.asks);
    const buttons = document.createElement("div");
    buttons.className = "buttons";
    for (const [letter, word] of JSON.parse(board.dataset.promotes)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "main";
      button.textContent = word;
      button.addEventListener("click", () => { asked.remove(); line(move + letter); });
      buttons.append(button);
    }
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = board.dataset.again;
    again.addEventListener("click", () => { asked.remove(); });
    buttons.append(again);
    asked.append(buttons);
    board.querySelector("table").before(asked);
    buttons.firstChild.focus();
    chosen = null;
    mark();
  };
  const tap = (board, button) => {
    const square = button.dataset.square;
    if (!chosen || chosen.board !== board.id) {
      if (button.dataset.from) chosen = { board: board.id, square, from: button.dataset.from, isPawn: button.dataset.pawn };
    } else if (chosen.square === square) {
      button.removeAttribute("aria-pressed");
      chosen = null;
    } else {
      if (chosen.isPawn && (square.endsWith("8") || square.endsWith("1"))) {
        return promote(board, chosen.from + square);
      }
      line(chosen.from + square);
      chosen = null;
    }
    mark();
  };

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const board = form.closest(".board");
    const square = event.submitter && event.submitter.dataset.square;
    if (board && square && board.dataset.taps === "move") {
      event.preventDefault();
      tap(board, event.submitter);
    } else if (form.method === "post" && form.getAttribute("action") === main.dataset.do) {
      event.preventDefault();
      if (form.classList.contains("press") && form.closest("[data-fresh]")) return;
      const body = new URLSearchParams(new FormData(form));
      if (form.classList.contains("line")) form.reset();
      for (const secret of form.querySelectorAll("[type=password]")) secret.value = "";
      press(body);
    }
  });

  // A sheet may be a file of text.
  const files = () => {
    for (const label of document.querySelectorAll(".file")) label.hidden = false;
  };
  files();
  new MutationObserver(files).observe(main, { childList: true, subtree: true });
  document.addEventListener("change", async (event) => {
    const input = event.target;
    if (input.type !== "file" || !input.files.length) return;
    const area = input.closest("form").querySelector("textarea");
    area.value = await input.files[0].text();
    input.removeAttribute("name");
  });

  const connect = () => {
    const events = new EventSource(main.dataset.live + "?log=" + log);
    events.onopen = () => { heard = Date.now(); state(); };
    events.addEventListener("alive", () => { heard = Date.now(); });
    events.onmessage = (event) => {
      heard = Date.now();
      const news = JSON.parse(event.data);
      append(news.log);
      change(news.parts);
      if (news.is_over) { isOver = true; tell("ended"); events.close(); }
    };
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED && !isOver) {
        // Either the page is no longer valid, or the program is gone.
        fetch(main.dataset.live + "?log=" + log, { method: "GET", headers: { accept: "text/event-stream" } })
          .then((answer) => { if (answer.status === 204) { isOver = true; tell("gone"); } else answer.body.cancel().then(connect); })
          .catch(() => setTimeout(connect, 1000));
      }
    };
  };
  if (location.search) history.replaceState(null, "", location.pathname);
  connect();
}
