import { expect, test } from "vitest";
import { z } from "zod";
import { clientTypes } from "./client-types.ts";
import { route } from "./route.ts";

const common = { summary: { en: "x", uk: "x" }, allows: [], handle: async () => ({}) };
const title = z.object({ en: z.string(), uk: z.string() });
const card = z.object({ id: z.string(), title }).meta({ id: "Card" });

test("U-1 the web app's types name every JSON endpoint, and declare an object that occurs twice once", () => {
  const types = clientTypes([
    route("GET /cards/:path{.+}", { ...common, answer: z.object({ card, alike: z.array(card) }) }),
    route("POST /cards", { ...common, body: z.object({ title: title.optional() }), answer: card }),
    route("GET /page", { ...common, answer: "text/html" }),
  ]);
  expect(types.slice(types.indexOf("export type Card"))).toBe(`export type Card = {
  id: string;
  title: Title;
};

export type Title = {
  en: string;
  uk: string;
};

export interface Endpoints {
  "GET /cards/:path": {
    params: { path: string };
    query: {};
    body: undefined;
    answer: {
      card: Card;
      alike: Card[];
    };
  };
  "POST /cards": {
    params: {};
    query: {};
    body: {
      title?: Title;
    };
    answer: Card;
  };
}
`);
});
