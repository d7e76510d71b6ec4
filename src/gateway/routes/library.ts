import { z } from "zod";
import { slugField } from "../../domain/identity.ts";
import { compareBehaviours } from "../../garden/federation/library/compare-behaviours.ts";
import { libraryDetail, libraryRows } from "../../garden/federation/library/library-rows.ts";
import { behaviourComparisonShape, libraryDetailShape, libraryParams, libraryRowShape } from "../library-shapes.ts";
import { type Route, route } from "../route.ts";

const version = z.string().regex(/^v\d{3}$/, { error: "version" });

/** The behaviour library: own behaviours with a name, those of followed gardens, and those from files (S-9b). */
export const libraryRoutes: readonly Route[] = [
  route("GET /library", {
    summary: {
      en: "the behaviour library: own ones with a name, those of followed gardens, those from files, with their figures (S-9b)",
      uk: "бібліотека поведінок: власні з назвою, поведінки садів, за якими стежать, і з файлів, з їхніми числами (S-9b)",
    },
    allows: ["owner"],
    answer: z.object({ behaviours: z.array(libraryRowShape) }),
    handle: async ({ garden }) => ({ behaviours: [...(await libraryRows(garden))] }),
  }),
  route("GET /library/:id", {
    summary: {
      en: "one behaviour with its logic and its evidence, each record replayed here",
      uk: "одна поведінка з логікою і доказами, кожен запис відтворено тут",
    },
    allows: ["owner"],
    params: libraryParams,
    answer: libraryDetailShape,
    handle: ({ garden, params: { id } }) => libraryDetail(garden, id),
  }),
  route("GET /library/:id/compare", {
    summary: {
      en: "a behaviour compared with the logic of an agent (`agent`, `version`) or with another behaviour (`with`): diagrams and figures",
      uk: "поведінка поруч із логікою агента (`agent`, `version`) або з іншою поведінкою (`with`): діаграми й числа",
    },
    allows: ["owner"],
    params: libraryParams,
    query: z
      .strictObject({
        agent: slugField.optional(),
        version: version.optional(),
        with: libraryParams.shape.id.optional(),
      })
      .refine((query) => (query.agent === undefined) !== (query.with === undefined), { error: "agent or with" }),
    answer: behaviourComparisonShape,
    handle: ({ garden, params: { id }, query: { agent, version: of, with: entry } }) =>
      compareBehaviours(garden, id, agent === undefined ? { entry: entry! } : { agent, version: of }),
  }),
];
