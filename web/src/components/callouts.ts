import { calloutIn } from "../../../src/domain/note/link-syntax.ts";

/** Lucide's icons (ISC) as elements: callouts are built as HTML, outside of React. */
const ICONS: Readonly<Record<string, string>> = {
  note: '<path d="M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z"/><path d="m15 5 4 4"/>',
  abstract:
    '<rect width="8" height="4" x="8" y="2" rx="1" ry="1"/><path d="M16 4h2a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h2"/><path d="M12 11h4"/><path d="M12 16h4"/><path d="M8 11h.01"/><path d="M8 16h.01"/>',
  info: '<circle cx="12" cy="12" r="10"/><path d="M12 16v-4"/><path d="M12 8h.01"/>',
  todo: '<circle cx="12" cy="12" r="10"/><path d="m16 9-5.5 5.5L8 12"/>',
  tip: '<path d="M12 3q1 4 4 6.5t3 5.5a1 1 0 0 1-14 0 5 5 0 0 1 1-3 1 1 0 0 0 5 0c0-2-1.5-3-1.5-5q0-2 2.5-4"/>',
  success: '<path d="M20 6 9 17l-5-5"/>',
  question: '<circle cx="12" cy="12" r="10"/><path d="M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3"/><path d="M12 17h.01"/>',
  warning:
    '<path d="m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3"/><path d="M12 9v4"/><path d="M12 17h.01"/>',
  failure: '<path d="M18 6 6 18"/><path d="m6 6 12 12"/>',
  danger:
    '<path d="M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5 0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z"/>',
  bug: '<path d="M12 20v-9"/><path d="M14 7a4 4 0 0 1 4 4v3a6 6 0 0 1-12 0v-3a4 4 0 0 1 4-4z"/><path d="M14.12 3.88 16 2"/><path d="M21 21a4 4 0 0 0-3.81-4"/><path d="M21 5a4 4 0 0 1-3.55 3.97"/><path d="M22 13h-4"/><path d="M3 21a4 4 0 0 1 3.81-4"/><path d="M3 5a4 4 0 0 0 3.55 3.97"/><path d="M6 13H2"/><path d="m8 2 1.88 1.88"/><path d="M9 7.13V6a3 3 0 1 1 6 0v1.13"/>',
  example:
    '<path d="M3 5h.01"/><path d="M3 12h.01"/><path d="M3 19h.01"/><path d="M8 5h13"/><path d="M8 12h13"/><path d="M8 19h13"/>',
  quote:
    '<path d="M16 3a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2 1 1 0 0 1 1 1v1a2 2 0 0 1-2 2 1 1 0 0 0-1 1v2a1 1 0 0 0 1 1 6 6 0 0 0 6-6V5a2 2 0 0 0-2-2z"/><path d="M5 3a2 2 0 0 0-2 2v6a2 2 0 0 0 2 2 1 1 0 0 1 1 1v1a2 2 0 0 1-2 2 1 1 0 0 0-1 1v2a1 1 0 0 0 1 1 6 6 0 0 0 6-6V5a2 2 0 0 0-2-2z"/>',
};
const FOLD = '<path d="m6 9 6 6 6-6"/>';

/** Turns quotations that begin with `[!type]` into callouts. The elements are made here, after the text was sanitised. */
export function showCallouts(fragment: DocumentFragment): void {
  // Inner callouts first.
  for (const quotation of [...fragment.querySelectorAll("blockquote")].toReversed()) {
    const first = quotation.firstElementChild;
    const line = first?.tagName === "P" ? first.firstChild : null;
    if (line?.nodeType !== Node.TEXT_NODE) continue;
    const callout = calloutIn(line.textContent!.split("\n")[0]!);
    if (!callout) continue;
    const box = document.createElement(callout.fold ? "details" : "div");
    box.className = `callout callout-${callout.type}`;
    if (callout.fold === "open") box.setAttribute("open", "");
    const title = document.createElement(callout.fold ? "summary" : "p");
    title.className = "callout-title";
    const words = document.createElement("span");
    words.append(callout.title, ...takeFirstLine(first!, line));
    title.append(iconOf(ICONS[callout.type] ?? ICONS["note"]!), words);
    if (callout.fold) title.append(iconOf(FOLD, "callout-fold"));
    if (first!.textContent.trim() === "" && first!.children.length === 0) first!.remove();
    box.append(title, ...quotation.childNodes);
    quotation.replaceWith(box);
  }
}

function iconOf(shapes: string, name = "callout-icon"): Element {
  const holder = document.createElement("div");
  holder.innerHTML = `<svg class="${name}" viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">${shapes}</svg>`;
  return holder.firstElementChild!;
}

/** Removes the first line of a paragraph. Returns its elements behind the text node that it begins with: bold words of a title. */
function takeFirstLine(paragraph: Element, begin: ChildNode): Node[] {
  const title: Node[] = [document.createTextNode(" ")];
  for (let node = paragraph.firstChild; node; node = paragraph.firstChild) {
    const end = node.nodeType === Node.TEXT_NODE ? node.textContent!.indexOf("\n") : -1;
    if (end >= 0) {
      if (node !== begin) title.push(document.createTextNode(node.textContent!.slice(0, end)));
      node.textContent = node.textContent!.slice(end + 1);
      break;
    }
    node.remove();
    if (node !== begin) title.push(node);
  }
  return title.length > 1 ? title : [];
}
