import type { Language } from "../../base/text.ts";
import type { Wish } from "../changes/inbox/receive.ts";

/** The pending proposals of a new demo garden, in its language. */
export const demoProposals: Readonly<Record<Language, readonly Omit<Wish, "identity">[]>> = {
  en: [
    {
      action: "propose-edit",
      payload: {
        path: "notes/garden/compost.md",
        diff: `--- a/notes/garden/compost.md
+++ b/notes/garden/compost.md
@@ -13,3 +13,5 @@
 
 Turned on 5 April and 20 June. The June turn smelled of ammonia: too much grass, not enough leaves. Keep two sacks of
 leaves from autumn for exactly this.
+
+Two sacks were too few in 2025: keep four, on the dry side of the summer kitchen.
`,
      },
      summary: "Keep four sacks of leaves",
      reasoning: "Both were empty by the end of June, and the second turn was due in August.",
    },
    {
      action: "propose-tag",
      payload: { path: "notes/archive/what-is-in-the-archive.md", add: ["violin", "tapes"] },
      summary: "Tag the inventory by what is in it",
      reasoning: "It counts 41 tapes and a violin, and neither word finds it.",
    },
  ],
  uk: [
    {
      action: "propose-edit",
      payload: {
        path: "notes/garden/polyv.md",
        diff: `--- a/notes/garden/polyv.md
+++ b/notes/garden/polyv.md
@@ -13,3 +13,5 @@
 3. Якщо три дні поспіль понад 30 °C, мульчувати [компостом](compost.md) або скошеною травою.
 
 Крапельна стрічка лежить з 2024 року в коробці. Питання відкрите: чи вистачить тиску з бочки, якщо підняти її на 80 см?
+
+Перевірити у квітні: одна бочка на підставці, десять метрів стрічки, відро під останньою крапельницею.
`,
      },
      summary: "Перевірити крапельну стрічку у квітні",
      reasoning: "Питання відкрите з 2024 року, а на перевірку піде один ранок.",
    },
    {
      action: "propose-tag",
      payload: { path: "notes/garden/stara-lypa.md", add: ["зима", "дах"] },
      summary: "Позначити липу тим, що треба встигнути до зими",
      reasoning: "Гілку над дахом треба оглянути, а за словом «зима» цієї нотатки не знайти.",
    },
  ],
};
