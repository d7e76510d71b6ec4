import { describe, expect, it } from "vitest";
import { diagramFromTree } from "../from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../text/parse.ts";
import { compareDiagrams } from "./compare.ts";

const drawnFrom = (lines: readonly string[]) =>
  diagramFromTree(parsePseudocode(["BEGIN", ...lines.map((line) => `  ${line}`), "END", ""].join("\n")).tree!);

/** One procedure before and after: lines common to both, `-` lines only before, `+` lines only after. */
const sides = (text: string) =>
  (["-", "+"] as const).map((own) =>
    drawnFrom(
      text
        .split("\n")
        .filter((line) => line.trim() !== "" && !line.startsWith(own === "-" ? "+" : "-"))
        .map((line) => line.slice(1)),
    ),
  ) as [ReturnType<typeof drawnFrom>, ReturnType<typeof drawnFrom>];

describe("D-8a the sentences about a change", () => {
  it.each<[string, string, string[]]>([
    [
      "two effects exchanged",
      `
-backup(db)
 delete-rows(db)
+backup(db)
 report()`,
      ['medium: the order changes: "backup(db)" now comes after "delete-rows(db)"'],
    ],
    [
      "an assignment moved behind its use",
      `
-to ← owner
 send-mail(to)
+to ← owner
 report()`,
      ['medium: the order changes: "to ← owner" now comes after "send-mail(to)"'],
    ],
    [
      "a step moved into a loop",
      `
 FOR EACH x IN xs
   use(x)
+  mail(owner)
-mail(owner)`,
      [
        'high: can now happen more than once: "mail(owner)"',
        'medium: the order changes: "mail(owner)" now comes in the loop "x; xs"',
      ],
    ],
    [
      "a step moved behind a loop",
      `
-lock(db)
 FOR EACH x IN xs
   use(x)
+lock(db)
 bye`,
      ['medium: the order changes: "lock(db)" now comes after the loop "x; xs"'],
    ],
    [
      "a check moved out of a loop",
      `
+IF old(note)
+  → END
 FOR EACH note IN notes
-  IF old(note)
-    → NEXT
   use(note)`,
      [
        'medium: the beginning now leads to "old(note)" instead of the loop "note; notes"',
        'medium: a round of the loop "note; notes" now leads to "use(note)" instead of "old(note)"',
        'medium: the answer "yes" to "old(note)" now leads to the end instead of the next item of "note; notes"',
        'medium: the answer "no" to "old(note)" now leads to the loop "note; notes" instead of "use(note)"',
      ],
    ],
    [
      "constant cases in another order",
      `
 SELECT mail.kind
-  CASE "invoice"
-    pay(mail)
   CASE "spam"
     delete-mail(mail)
+  CASE "invoice"
+    pay(mail)
   OTHERWISE
     keep(mail)`,
      ['medium: the cases of "mail.kind" are in another order'],
    ],
    [
      "the default case removed",
      `
 SELECT k
   CASE 1
     a()
   CASE 2
     b()
-  OTHERWISE
-    c()
 bye`,
      [
        'high: an output is removed: "c()"',
        'medium: "c" is no longer reachable',
        'medium: a case is removed: "otherwise" of "k"',
      ],
    ],
    [
      "a loop over another list",
      `
-FOR EACH x IN list1
+FOR EACH x IN list2
   use(x)`,
      ['medium: a loop changes: "x; list1 → x; list2"'],
    ],
    [
      "another name in a condition",
      `
-IF a1 > 5
+IF a2 > 5
   use(x)`,
      ['medium: a condition changes: "a1 > 5 → a2 > 5"'],
    ],
    [
      "two differences far apart in a long call",
      `
-create-proposal(type: "propose-edit", note: note.slug, content: note.content, summary: "Mend the links in " + note.slug)
+create-proposal(type: "propose-edit", note: other.slug, content: note.content, summary: "Mend the links in " + other.slug)`,
      [
        'medium: a call changes: "…dit", note: note.slug, conte… → …dit", note: other.slug, conte…; …inks in " + note.slug) → …inks in " + other.slug)"',
      ],
    ],
    [
      "a second space",
      `
-send("a b")
+send("a  b")`,
      ['medium: a call changes: "send("a␣b") → send("a␣␣b")"'],
    ],
    [
      "a letter of another alphabet",
      `
-send("price")
+send("prісe")`,
      ['medium: a call changes: "send("price") → send("prі\\u{456}с\\u{441}e")"'],
    ],
    [
      "the processes of a parallel block exchanged",
      `
 PARALLEL
   PROCESS 1
-    a()
+    c()
   PROCESS 2
+    a()
-    c()
 bye`,
      [
        'medium: parallel process 1 now leads to "c()" instead of "a()"',
        'medium: parallel process 2 now leads to "a()" instead of "c()"',
      ],
    ],
    [
      "another parameter",
      `
-PARAMETERS: to
+PARAMETERS: to, amount
 pay(to)`,
      ['medium: the parameters change: "to → to, amount"'],
    ],
    [
      "an output rewritten as a plain step",
      `
-create-proposal(type: "propose-tag")
+note it for later
 bye`,
      [
        'high: an output is replaced: "create-proposal(type: "propose-tag") → note it for later"',
        'medium: "create-proposal" is no longer reachable',
      ],
    ],
    [
      "a plain step rewritten as a guarded call",
      `
 IF allowed
   pay(x)
 ELSE
-  write a line
+  pay(x)
 bye`,
      ['high: no longer behind the check "allowed" (yes): "pay(x)"', 'medium: a call changes: "write a line → pay(x)"'],
    ],
    [
      "the same output once more on the same way",
      `
 pay(invoice)
+pay(invoice)
 report()`,
      ['high: can now happen more than once: "pay(invoice)"', 'medium: "pay" is called in one more place'],
    ],
    [
      "the same output on the way of the other answer",
      `
 IF refused
+  pay(x)
   → END
 pay(x)`,
      ['high: no longer behind the check "refused" (no): "pay(x)"', 'medium: "pay" is called in one more place'],
    ],
    [
      "a value that a check reads",
      `
-limit ← 100
+limit ← 100000
 IF sum > limit
   → END
 pay(sum)`,
      ['medium: a value changes: "limit ← 100 → limit ← 100000", used in "sum > limit"'],
    ],
    [
      "a value that nothing reads",
      `
-seen ← 1
+seen ← 2
 bye()`,
      ['low: a step changes: "seen ← 1 → seen ← 2"'],
    ],
    [
      "a condition denied and its answers swapped",
      `
-IF count > 5
-  → END
-pay(x)
+IF count <= 5
+  pay(x)`,
      ['low: a condition is denied and its answers are swapped, which means the same: "count > 5 → count <= 5"'],
    ],
    [
      "a condition denied",
      `
-IF count > 5
+IF count <= 5
   → END
 pay(x)`,
      ['medium: a condition changes: "count > 5 → count <= 5"'],
    ],
    [
      "equal ends of two ways drawn as one",
      `
 IF a
   pay(x)
-  notify(x)
 ELSE
   refuse(x)
-  notify(x)
+notify(x)`,
      ['low: equal steps are drawn as one: "notify(x)"'],
    ],
    [
      "a common end drawn for each of two ways",
      `
 IF a
   pay(x)
+  notify(x)
 ELSE
   refuse(x)
+  notify(x)
-notify(x)`,
      ['low: a step is drawn once for each way: "notify(x)"'],
    ],
    [
      "two loops drawn as one",
      `
 FOR EACH x IN xs
   a(x)
-FOR EACH x IN xs
   b(x)`,
      ['medium: a loop is removed: "x; xs"', 'medium: "a(x)" now leads to "b(x)" instead of the next item of "x; xs"'],
    ],
  ])("say what differs: %s", (_, text, sentences) => {
    const [before, after] = sides(text);
    const { facts } = compareDiagrams(before, after);
    expect(facts.map(({ level, text: { en } }) => `${level}: ${en}`)).toEqual(sentences);
  });
});
