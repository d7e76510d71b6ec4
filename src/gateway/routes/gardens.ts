import { z } from "zod";
import { gardenStates, startCommand } from "../../domain/known-garden.ts";
import { type Route, route } from "../route.ts";

/** The other gardens of this machine. They are named and linked, never opened from here. */
export const gardenRoutes: readonly Route[] = [
  route("GET /gardens", {
    summary: {
      en: "gardens known on this machine: name, folder, and the address of those that are being served",
      uk: "сади, відомі на цій машині: назва, тека й адреса тих, що працюють",
    },
    allows: ["owner"],
    answer: z.object({
      gardens: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          dir: z.string(),
          first_commit: z.string().optional(),
          here: z.boolean(),
          state: z.enum(gardenStates),
          address: z.string().optional(),
          network: z.boolean().optional(),
          start: z.string(),
        }),
      ),
    }),
    handle: async ({ garden, gateway }) => ({
      gardens: (await gateway.gardens.list()).map((each) => ({
        ...each,
        here: each.dir === garden.dir,
        start: startCommand(each.dir),
      })),
    }),
  }),
  route("DELETE /gardens/:id", {
    summary: {
      en: "removes a garden from that list; its folder is not touched",
      uk: "прибирає сад із цього переліку; теку саду не змінено",
    },
    allows: ["owner"],
    params: z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/) }),
    answer: z.object({ kind: z.literal("forgotten") }),
    async handle({ gateway, params: { id } }) {
      await gateway.gardens.forget(id);
      return { kind: "forgotten" };
    },
  }),
];
