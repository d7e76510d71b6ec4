const INLINE = /(\[\[[^\]]+\]\]|\*\*[^*]+\*\*|`[^`]+`|!?\[[^\]]*\]\([^)\s]+\))/;

/** Unchanged text of a note on one line: links, emphasis and code are shown as such. They do not lead away from the review. */
export const InlineText = ({ text }: { readonly text: string }) =>
  text
    .split(INLINE)
    // oxlint-disable-next-line no-array-index-key -- the parts of a text keep their order
    .map((part, index) => (index % 2 === 1 ? <Inline key={index} part={part} /> : part));

function Inline({ part }: { readonly part: string }) {
  if (part.startsWith("[[")) return <span className="wiki-link">{part.slice(2, -2).replace(/^.*\|/, "")}</span>;
  if (part.startsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
  if (part.startsWith("`")) return <code>{part.slice(1, -1)}</code>;
  return <span className="wiki-link">{/\[([^\]]*)\]/.exec(part)?.[1] || part}</span>;
}
