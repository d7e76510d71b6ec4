import { z } from "zod";
import { slugField } from "../../domain/identity.ts";
import { MAX_BEHAVIOUR_BYTES } from "../../domain/library/travelling-behaviour.ts";
import { counterfactualReport } from "../../domain/logic/counterfactual-report.ts";
import { adoptBehaviour, replayBehaviour } from "../../garden/federation/library/adopt-behaviour.ts";
import { exportBehaviour, importBehaviour } from "../../garden/federation/library/carry-behaviour.ts";
import { compareBehaviours } from "../../garden/federation/library/compare-behaviours.ts";
import { libraryDetail, libraryRows } from "../../garden/federation/library/library-rows.ts";
import {
  previewBehaviour,
  publishBehaviour,
  withdrawBehaviour,
} from "../../garden/federation/library/publish-behaviour.ts";
import { nameBehaviour } from "../../garden/federation/library/shelf.ts";
import { choosePublishPlace } from "../../garden/life/remotes.ts";
import {
  behaviourComparisonShape,
  behaviourReplayShape,
  libraryDetailShape,
  libraryParams,
  libraryRowShape,
} from "../library-shapes.ts";
import { type Route, route } from "../route.ts";
import { commitId, digest, textShape } from "../shapes.ts";
import { receivedAnswer, receivedBody } from "./inbox.ts";

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
  route("POST /library/names", {
    summary: {
      en: "names the behaviour of an agent's version; it stays in this garden until it is published",
      uk: "називає поведінку версії агента; вона лишається в цьому саду, доки її не оприлюднено",
    },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({ agent: slugField, version: version.optional(), name: z.string().min(1).max(200) }),
    answer: z.object({ behaviour: z.string(), name: z.string(), agent: z.string(), version: z.string() }),
    handle: ({ garden, body, identity }) => nameBehaviour(garden, body, identity),
  }),
  route("POST /library/:id/replay", {
    summary: {
      en: "replays the evidence of a behaviour, and recorded runs of our agent on it; executes nothing, and keeps the result",
      uk: "відтворює докази поведінки і записані запуски нашого агента за нею; нічого не виконує і зберігає результат",
    },
    allows: ["owner"],
    params: libraryParams,
    body: z.strictObject({ agent: slugField }),
    answer: z.object({
      replay: behaviourReplayShape,
      report: counterfactualReport,
      lies: z.array(textShape),
    }),
    handle: ({ garden, params: { id }, body: { agent } }) => replayBehaviour(garden, id, agent),
  }),
  route("POST /library/:id/adopt", {
    summary: {
      en: "replays a behaviour and proposes it as the logic of an agent; a person decides",
      uk: "відтворює поведінку і пропонує її як логіку агента; вирішує людина",
    },
    allows: ["owner"],
    params: libraryParams,
    body: z.strictObject({ agent: slugField }),
    answer: z.object({ replay: behaviourReplayShape, proposal: receivedAnswer }),
    status: 201,
    async handle({ garden, params: { id }, body: { agent }, identity }) {
      const { received, replay } = await adoptBehaviour(garden, { wanted: id, agent, by: identity });
      return { replay, proposal: receivedBody(received) };
    },
  }),
  route("GET /library/:id/file", {
    summary: {
      en: "a behaviour as the text of one file that `POST /library/files` of another garden takes",
      uk: "поведінка як текст одного файлу, який приймає `POST /library/files` іншого саду",
    },
    allows: ["owner"],
    params: libraryParams,
    answer: z.object({ name: z.string(), text: z.string() }),
    handle: ({ garden, params: { id } }) => exportBehaviour(garden, id),
  }),
  route("POST /library/files", {
    summary: {
      en: "takes a behaviour from such a text, after the same checks as from another garden",
      uk: "бере поведінку з такого тексту після тих самих перевірок, що й з іншого саду",
    },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({ text: z.string().max(2 * MAX_BEHAVIOUR_BYTES) }),
    answer: z.object({ id: z.string(), behaviour: z.string(), name: z.string(), key: z.string() }),
    handle: ({ garden, body: { text }, identity }) => importBehaviour(garden, text, identity),
  }),
  route("POST /library/publish", {
    summary: {
      en: "every byte that would leave if the behaviour of an agent were published; with its `digest` and a remote, publishes exactly that",
      uk: "кожен байт, що пішов би назовні, якби оприлюднити поведінку агента; з його `digest` і віддаленим репозиторієм оприлюднює саме це",
    },
    allows: ["owner"],
    body: z.strictObject({
      agent: slugField,
      version: version.optional(),
      name: z.string().min(1).max(200).optional(),
      publish: z.strictObject({ digest, to: z.string().max(100).optional() }).optional(),
    }),
    answer: z.object({
      behaviour: z.string(),
      name: z.string(),
      files: z.array(z.object({ path: z.string(), text: z.string() })),
      besides: z.array(z.object({ path: z.string(), text: z.string() })),
      runs: z.object({ replayable: z.int(), verdict_only: z.int() }),
      warnings: z.array(textShape),
      digest,
      published: z.object({ seq: z.int(), commit: commitId }).optional(),
    }),
    async handle({ garden, body: { publish, ...wish }, identity: by }) {
      const preview = await previewBehaviour(garden, wish);
      if (!publish) return preview;
      const to = choosePublishPlace(garden, publish.to);
      const { seq, commit } = await publishBehaviour(garden, { ...wish, to, digest: publish.digest, by });
      return { ...preview, published: { seq, commit } };
    },
  }),
  route("POST /library/:id/withdraw", {
    summary: {
      en: "no longer announces a behaviour; forgets one that has only a name or came from a file",
      uk: "більше не оголошує поведінку; забуває ту, що має лише назву чи прийшла з файлу",
    },
    allows: ["owner"],
    params: libraryParams,
    body: z.strictObject({ to: z.string().max(100).optional() }),
    answer: z.object({ id: z.string(), seq: z.int().optional() }),
    handle: ({ garden, params: { id }, body: { to }, identity: by }) =>
      withdrawBehaviour(garden, { wanted: id, to: () => choosePublishPlace(garden, to), by }),
  }),
];
