/** The first well-formedness error, or undefined. Covers the subset of XML that drawings use. */
export function xmlFault(text: string): string | undefined {
  const illegal = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (illegal) return `illegal character at ${illegal.index}`;
  const open: string[] = [];
  let roots = 0;
  const token = /<(\/?)([A-Za-z][\w:-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(\/?)>|([^<]+)|(<)/g;
  for (const match of text.matchAll(token)) {
    const [, closing, name = "", attributes = "", empty, content, stray] = match;
    if (stray) return `stray < at ${match.index}`;
    if (content !== undefined) {
      if (open.length === 0 && content.trim() !== "") return `text outside at ${match.index}`;
      if (hasBareAmpersand(content)) return `bare & at ${match.index}`;
    } else if (closing) {
      if (open.pop() !== name) return `</${name}> closes nothing at ${match.index}`;
    } else {
      const names = [...attributes.matchAll(/([\w:-]+)="/g)].map(([, attribute]) => attribute);
      if (new Set(names).size !== names.length) return `attribute twice at ${match.index}`;
      if (hasBareAmpersand(attributes)) return `bare & at ${match.index}`;
      if (open.length === 0 && ++roots > 1) return "two roots";
      if (!empty) open.push(name);
    }
  }
  return open.length > 0 ? `<${open.at(-1)}> stays open` : roots === 1 ? undefined : "no root";
}

const hasBareAmpersand = (text: string): boolean => /&(?!(?:amp|lt|gt|quot|#\d+);)/.test(text);
