import { z } from "zod";
import { capabilityTriggers } from "../../domain/federation/capability.ts";
import { type AnnouncementRefusal, announcementRefusals } from "../../domain/federation/refusals.ts";
import { identityName, slugField } from "../../domain/identity.ts";
import { grantOf } from "../../garden/federation/capabilities.ts";
import {
  chooseSessions,
  followedGardens,
  followGarden,
  grantTo,
  lookAtGarden,
  replaceKey,
  revokeGrant,
  unfollowGarden,
} from "../../garden/federation/follow.ts";
import { receiveNews } from "../../garden/federation/news.ts";
import { gardenIdentity, makeIdentity, previewPublish, publishSessions } from "../../garden/federation/publish.ts";
import { rotateKey } from "../../garden/federation/rotate-key.ts";
import { tellNewsTo } from "../../garden/federation/send-news.ts";
import { choosePublishPlace } from "../../garden/life/remotes.ts";
import { readCapabilities } from "../../garden/sessions/read-capabilities.ts";
import { type Route, route } from "../route.ts";
import { commitId, textShape } from "../shapes.ts";

const identity = z.object({
  space: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  words: textShape,
  seq: z.int(),
  sessions: z.array(z.string()),
});
const followed = z.object({
  name: z.string(),
  url: z.string(),
  pin: z.string(),
  space: z.string().optional(),
  chosen: z.array(z.string()).optional(),
  news: z.string().optional(),
});
const look = z.object({
  at: z.iso.datetime(),
  next_at: z.iso.datetime(),
  trouble: z
    .object({ why: z.string(), subject: z.string().optional(), text: textShape, since: z.iso.datetime() })
    .optional(),
});
const grant = {
  peer: slugField,
  agenticType: z.string().min(1).max(127),
  trigger: z.enum(capabilityTriggers),
  notAfter: z.iso.datetime().optional(),
};
const refusal = z.enum(Object.keys(announcementRefusals) as AnnouncementRefusal[]);
const gardenParams = z.strictObject({ name: slugField });
const change = z.object({ id: z.string(), commit: commitId.optional() });

/** Other gardens: the own identity, those that are followed, and grants to them (S-10). */
export const federationRoutes: readonly Route[] = [
  route("GET /federation", {
    summary: {
      en: "the key of this garden, the gardens that it follows, and what they may do here (S-10)",
      uk: "ключ цього саду, сади, за якими він стежить, і що вони тут можуть (S-10)",
    },
    allows: ["owner"],
    answer: z.object({
      identity: identity.nullable(),
      gardens: z.array(
        followed.extend({
          look: look.optional(),
          sessions: z.array(z.object({ name: z.string(), head: commitId })),
          announced: z.array(z.string()),
        }),
      ),
      grants: z.array(z.object({ id: z.string(), ...grant })),
    }),
    async handle({ garden }) {
      const { objects } = await readCapabilities(garden.repo);
      return {
        identity: (await gardenIdentity(garden)) ?? null,
        gardens: await followedGardens(garden),
        grants: objects.map(grantOf),
      };
    },
  }),
  route("POST /federation/identity", {
    summary: {
      en: "makes the key of this garden, if it has none, and its first announcement",
      uk: "робить ключ цього саду, якщо його немає, і перше оголошення",
    },
    allows: ["owner"],
    answer: identity,
    handle: ({ garden }) => makeIdentity(garden),
  }),
  route("POST /federation/identity/rotate", {
    summary: {
      en: "a new key of this garden: the old one signs the hand-over, the new one confirms it; publish afterwards",
      uk: "новий ключ цього саду: старий підписує передачу, новий її підтверджує; потім оприлюдніть",
    },
    allows: ["owner"],
    answer: z.object({ before: z.string(), fingerprint: z.string(), seq: z.int() }),
    handle: ({ garden, identity: by }) => rotateKey(garden, by),
  }),
  route("PUT /federation/gardens/:name/key", {
    summary: {
      en: "pins another key of a garden that is followed, compared by hand; what came by the old one leaves",
      uk: "закріплює інший ключ саду, за яким стежать, звірений вручну; отримане за старим зникає",
    },
    allows: ["owner"],
    params: gardenParams,
    body: z.strictObject({ url: z.string().min(1).max(2000), key: z.string().max(100) }),
    answer: followed,
    handle: ({ garden, params: { name }, body: { url, key }, identity: by }) =>
      replaceKey(garden, { name, url, pin: key }, by),
  }),
  route("POST /federation/gardens", {
    summary: {
      en: "follows a garden by the fingerprint of its key; fetches nothing yet",
      uk: "починає стежити за садом за відбитком його ключа; ще нічого не отримує",
    },
    allows: ["owner"],
    status: 201,
    body: z.strictObject({ name: slugField, url: z.string().min(1).max(2000), key: z.string().max(100) }),
    answer: followed,
    handle: ({ garden, body: { name, url, key }, identity: by }) => followGarden(garden, { name, url, pin: key }, by),
  }),
  route("DELETE /federation/gardens/:name", {
    summary: {
      en: "no longer follows a garden; takes its refs here and its grants away",
      uk: "більше не стежить за садом; прибирає його посилання тут і дозволи",
    },
    allows: ["owner"],
    params: gardenParams,
    answer: z.object({ removed: z.string() }),
    async handle({ garden, params: { name }, identity: by }) {
      await unfollowGarden(garden, name, by);
      return { removed: name };
    },
  }),
  route("PUT /federation/gardens/:name/sessions", {
    summary: {
      en: "follows these sessions of a garden only; an empty list means all that it announces",
      uk: "стежить лише за цими сесіями саду; порожній перелік означає всі, які він оголошує",
    },
    allows: ["owner"],
    params: gardenParams,
    body: z.strictObject({ sessions: z.array(slugField).max(1000) }),
    answer: followed,
    handle: ({ garden, params: { name }, body: { sessions }, identity: by }) =>
      chooseSessions(garden, name, sessions, by),
  }),
  route("POST /federation/gardens/:name/look", {
    summary: {
      en: "looks at what a garden announces; accepts all of it, or refuses it with the reason and takes nothing",
      uk: "дивиться, що оголошує сад; приймає все або відхиляє з причиною і нічого не бере",
    },
    allows: ["owner"],
    params: gardenParams,
    answer: z.object({
      kind: z.enum(["accepted", "up-to-date", "refused"]),
      seq: z.int().optional(),
      moved: z.array(z.string()).optional(),
      why: refusal.optional(),
      subject: z.string().optional(),
    }),
    handle: ({ garden, params: { name }, identity: by }) => lookAtGarden(garden, name, by),
  }),
  route("PUT /federation/gardens/:name/news", {
    summary: {
      en: "the address where a garden wants to be told of new announcements of this one; without `url` it is no longer told",
      uk: "адреса, за якою сад хоче дізнаватися про нові оголошення цього; без `url` його більше не сповіщають",
    },
    allows: ["owner"],
    params: gardenParams,
    body: z.strictObject({ url: z.string().max(2000).optional() }),
    answer: z.object({ name: z.string(), url: z.string().optional() }),
    async handle({ garden, params: { name }, body: { url }, identity: by }) {
      await tellNewsTo(garden, name, url, by);
      return { name, ...(url !== undefined && { url }) };
    },
  }),
  route("POST /federation/news", {
    summary: {
      en: "a garden that is followed tells, signed with its key, that it has announced something; this garden looks soon",
      uk: "сад, за яким стежать, з підписом свого ключа повідомляє про нове оголошення; цей сад невдовзі подивиться",
    },
    allows: ["anyone"],
    body: z.strictObject({
      garden: z.string().max(100),
      tip: commitId,
      at: z.iso.datetime(),
      signature: z.string().max(2000),
    }),
    answer: z.object({ heard: z.literal(true) }),
    async handle({ garden, body }) {
      await receiveNews(garden, body);
      return { heard: true };
    },
  }),
  route("POST /federation/grants", {
    summary: { en: "allows a garden one act for a kind of commits", uk: "дозволяє садові одну дію для виду комітів" },
    allows: ["owner"],
    status: 201,
    body: z.strictObject(grant),
    answer: change,
    handle: ({ garden, body: { notAfter, ...rest }, identity: by }) =>
      grantTo(garden, { ...rest, ...(notAfter !== undefined && { notAfter }) }, by),
  }),
  route("DELETE /federation/grants/:id", {
    summary: { en: "takes a grant back", uk: "відкликає дозвіл" },
    allows: ["owner"],
    params: z.strictObject({ id: commitId }),
    answer: change,
    handle: ({ garden, params: { id }, identity: by }) => revokeGrant(garden, id, by),
  }),
  route("POST /federation/publications", {
    summary: {
      en: "what would leave this garden if these sessions were published; with its `digest` and a remote, publishes exactly that",
      uk: "що пішло б із саду, якби оприлюднити ці сесії; з його `digest` і віддаленим репозиторієм оприлюднює саме це",
    },
    allows: ["owner"],
    body: z.strictObject({
      sessions: z.array(slugField).max(1000).default([]),
      withdraw: z.array(slugField).max(1000).default([]),
      traces: z.boolean().optional(),
      publish: z.strictObject({ digest: commitId, to: z.string().max(100) }).optional(),
    }),
    answer: z.object({
      sessions: z.array(z.object({ name: z.string(), head: commitId, files: z.int() })),
      commits: z.array(z.object({ commit: commitId, subject: z.string(), by: z.string() })),
      traces: z.array(
        z.object({ session: z.string(), commit: commitId, entries: z.int(), bytes: z.int(), id: z.string() }),
      ),
      digest: commitId,
      published: z.object({ seq: z.int(), commit: commitId }).optional(),
    }),
    async handle({ garden, body: { publish, ...wish }, identity: by }) {
      const preview = await previewPublish(garden, wish);
      if (!publish) return preview;
      const to = choosePublishPlace(garden, publish.to);
      const published = await publishSessions(garden, { ...wish, to, digest: publish.digest, by: identityName(by) });
      return { ...preview, published };
    },
  }),
];
