import type { Language } from "../../base/text.ts";

/** Labels of the drawing itself, besides the texts of icons. */
export interface DrawingWords {
  readonly yes: string;
  readonly no: string;
  readonly end: string;
  readonly unnamed: string;
  readonly diagram: string;
  readonly icons: string;
  readonly unreachable: string;
}

export const drawingWords: Readonly<Record<Language, DrawingWords>> = {
  uk: {
    yes: "Так",
    no: "Ні",
    end: "Кінець",
    unnamed: "Без назви",
    diagram: "Діаграма ДРАКОН",
    icons: "ікон",
    unreachable: "До цих ікон немає шляху",
  },
  en: {
    yes: "Yes",
    no: "No",
    end: "End",
    unnamed: "Untitled",
    diagram: "DRAKON diagram",
    icons: "icons",
    unreachable: "No line leads to these icons",
  },
};
