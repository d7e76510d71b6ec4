import { z } from "zod";
import { peerSessionText } from "../../domain/federation/peer-origin.ts";
import { slugField } from "../../domain/identity.ts";
import { peerSessionState } from "../../garden/runs/session-states.ts";
import { sessionCommitFiles, sessionCommitSizes } from "../../garden/sessions/session-files.ts";
import { showSession } from "../../garden/sessions/session-views.ts";
import { sessionTraces } from "../../garden/sessions/traces.ts";
import { type Route, route } from "../route.ts";
import { sessionFilesShape, sessionShape, sessionSizesShape, sessionTraceShape } from "../session-shapes.ts";
import { commitId } from "../shapes.ts";

const params = z.strictObject({ name: slugField, session: slugField });
type Params = z.infer<typeof params>;
const writtenName = ({ name, session }: Params): string => peerSessionText({ peer: name, session });

/** S-10: sessions of gardens that are followed, as their accepted announcements have them. They are only read. */
export const peerSessionRoutes: readonly Route[] = [
  route("GET /federation/gardens/:name/sessions/:session", {
    summary: {
      en: "a session of a garden that is followed: its goal, its own commits, its reviews here, and the announcement that it came with",
      uk: "сесія саду, за яким стежать: її мета, власні коміти, огляди тут і оголошення, з яким вона прийшла",
    },
    allows: ["owner"],
    params,
    answer: sessionShape.extend({
      state: z.enum(["waiting", "merged", "open"]),
      proposal: z.string().optional(),
      origin: z.object({
        peer: z.string(),
        session: z.string(),
        head: commitId,
        space: z.string(),
        seq: z.int(),
        announcement: commitId,
      }),
    }),
    async handle({ garden, params: named }) {
      const shown = await showSession(garden, writtenName(named));
      return { ...shown, origin: shown.origin!, ...(await peerSessionState(garden, shown)) };
    },
  }),
  route("GET /federation/gardens/:name/sessions/:session/changes", {
    summary: {
      en: "how many files and lines each of the newest 200 commits of a followed garden's session changed",
      uk: "скільки файлів і рядків змінив кожен із 200 найновіших комітів сесії саду, за яким стежать",
    },
    allows: ["owner"],
    params,
    answer: sessionSizesShape,
    handle: async ({ garden, params: named }) => ({
      changes: await sessionCommitSizes(garden.repo, writtenName(named)),
    }),
  }),
  route("GET /federation/gardens/:name/sessions/:session/commits/:commit", {
    summary: {
      en: "a commit of a followed garden's session with its files, each as a diff",
      uk: "коміт сесії саду, за яким стежать, з його файлами, кожен як різниця",
    },
    allows: ["owner"],
    params: params.extend({ commit: commitId }),
    answer: sessionFilesShape,
    handle: ({ garden, params: { commit, ...named } }) => sessionCommitFiles(garden.repo, writtenName(named), commit),
  }),
  route("GET /federation/gardens/:name/sessions/:session/traces", {
    summary: {
      en: "what a followed garden published of the traces of a session, newest commit first (S-6)",
      uk: "що сад, за яким стежать, оприлюднив зі слідів сесії, найновіший коміт перший (S-6)",
    },
    allows: ["owner"],
    params,
    answer: sessionTraceShape,
    handle: async ({ garden, params: named }) => ({ traces: await sessionTraces(garden.repo, writtenName(named)) }),
  }),
];
