import { expect, test } from "vitest";
import { linesOfPart } from "./note-part.ts";

const NOTE = `---
tags: [a]
---
# Garden
Intro.
## Roses: old & new
Text.

### Pruning
Cut.
## Trees
A paragraph
of two lines. ^para

- one
- two ^item

| a | b |
|---|---|
| 1 | 2 |

^table
\`\`\`
not this ^code
\`\`\`
# Pruning
Other.
`;

test.each<[string, number, number]>([
  ["Garden", 4, 25],
  ["Roses old new", 6, 10],
  ["roses: OLD & new", 6, 10],
  ["Pruning", 9, 10],
  ["Garden#Roses old new#Pruning", 9, 10],
  ["Garden#Trees", 11, 25],
  ["^para", 12, 13],
  ["^item", 16, 16],
  ["^TABLE", 18, 20],
])("U-1c the part %s of a note is lines %i to %i", (part, first, last) => {
  expect(linesOfPart(NOTE, part)).toEqual({ first, last });
});

test.each(["Nothing", "Trees#Pruning", "^code", "^none", ""])("U-1c the part %j is missing", (part) => {
  expect(linesOfPart(NOTE, part)).toBeUndefined();
});
