import { joined, type Text, verbatim } from "../../base/text.ts";
import { announcementRefusals } from "../../domain/federation/refusals.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Accepted } from "../../garden/federation/accept.ts";
import {
  chooseSessions,
  type FollowedGarden,
  followedGardens,
  followGarden,
  lookAtGarden,
  replaceKey,
  unfollowGarden,
} from "../../garden/federation/follow.ts";
import { tellNewsTo } from "../../garden/federation/send-news.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";

const NONE: Text = {
  en: "this garden follows no other: `bloom peer add NAME URL --key SHA256:…`",
  uk: "цей сад ні за ким не стежить: `bloom peer add НАЗВА АДРЕСА --key SHA256:…`",
};

export const peerFollowing: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: { en: "the gardens that this one follows", uk: "сади, за якими стежить цей" },
    async run(_, garden) {
      const gardens = await followedGardens(garden);
      const lines = alignColumns(
        gardens.map(({ name, url, pin, sessions }) => [
          name,
          pin,
          oneLine(url),
          sessions.map((session) => session.name).join(", ") || "-",
        ]),
      );
      const troubles = gardens.flatMap(({ name, look }) => (look?.trouble ? [troubleText(name, look)] : []));
      const text = lines.length === 0 ? NONE : joined([verbatim(lines.join("\n")), ...troubles], "\n");
      return { text, json: { gardens }, asked: true };
    },
  },
  tell: {
    usage: "NAME [URL]",
    words: [1, 2],
    does: {
      en: "tell a garden at this address of new announcements; without an address no longer",
      uk: "повідомляти сад за цією адресою про нові оголошення; без адреси — більше ні",
    },
    async run(_, garden, [name, url]) {
      await tellNewsTo(garden, name!, url, commandLineOwner);
      return {
        text:
          url === undefined
            ? { en: `${name} is no longer told.`, uk: `${name} більше не сповіщають.` }
            : {
                en: `${name} is told of new announcements at ${oneLine(url)}, while \`bloom up\` runs.`,
                uk: `${name} сповіщатимуть про нові оголошення за адресою ${oneLine(url)}, поки працює \`bloom up\`.`,
              },
        json: { name: name!, ...(url !== undefined && { url }) },
      };
    },
  },
  add: {
    usage: "NAME URL",
    words: [2, 2],
    does: { en: "follow a garden by the fingerprint of its key", uk: "стежити за садом за відбитком його ключа" },
    async run(context, garden, [name, url]) {
      const pin = textOption(context, "key") ?? "";
      const wish = { name: name!, url: url!, pin };
      if (context.options["replace"] === true) {
        const replaced = await replaceKey(garden, wish, commandLineOwner);
        return {
          text: {
            en: `${replaced.name} is now known by ${pin}. What came by the old key has left; \`bloom peer accept ${replaced.name}\` looks again.`,
            uk: `Тепер ${replaced.name} відомий за ${pin}. Отримане за старим ключем прибрано; \`bloom peer accept ${replaced.name}\` подивиться знову.`,
          },
          json: replaced,
        };
      }
      const peer = await followGarden(garden, wish, commandLineOwner);
      return {
        text: {
          en: `This garden follows ${peer.name}. Nothing of it is accepted without a grant: \`bloom peer grant ${peer.name} KIND TRIGGER\`.`,
          uk: `Цей сад стежить за ${peer.name}. Без дозволу нічого з нього не приймається: \`bloom peer grant ${peer.name} ВИД ДІЯ\`.`,
        },
        json: peer,
      };
    },
  },
  follow: {
    usage: "NAME [SESSION…]",
    words: [1, 1001],
    does: {
      en: "follow these sessions of a garden only; without any: all that it announces",
      uk: "стежити лише за цими сесіями саду; без жодної — за всіма, які він оголошує",
    },
    async run(_, garden, [name, ...sessions]) {
      const { chosen } = await chooseSessions(garden, name!, sessions, commandLineOwner);
      return {
        text: chosen
          ? {
              en: `Of ${name} this garden follows ${chosen.join(", ")}. \`bloom peer accept ${name}\` looks for them.`,
              uk: `За ${name} цей сад стежить у ${chosen.join(", ")}. Їх шукає \`bloom peer accept ${name}\`.`,
            }
          : {
              en: `Of ${name} this garden follows every session. \`bloom peer accept ${name}\` looks for them.`,
              uk: `За ${name} цей сад стежить у всіх сесіях. Їх шукає \`bloom peer accept ${name}\`.`,
            },
        json: { name: name!, chosen: chosen ?? null },
      };
    },
  },
  remove: {
    usage: "NAME",
    words: [1, 1],
    does: {
      en: "no longer follow it; its refs here and its grants are taken away",
      uk: "більше не стежити; її посилання тут і дозволи буде прибрано",
    },
    async run(_, garden, [name]) {
      await unfollowGarden(garden, name!, commandLineOwner);
      return {
        text: { en: `This garden no longer follows ${name}.`, uk: `Цей сад більше не стежить за ${name}.` },
        json: { removed: name! },
      };
    },
  },
  accept: {
    usage: "[NAME]",
    words: [0, 1],
    does: {
      en: "look at what a garden announces, or all of them, and accept it as a whole or not at all",
      uk: "подивитися, що оголошує сад (або всі), і прийняти все або нічого",
    },
    async run(_, garden, [name]) {
      const names = name === undefined ? (await followedGardens(garden)).map((each) => each.name) : [name];
      const outcomes: { readonly name: string; readonly outcome: Accepted }[] = [];
      for (const each of names)
        outcomes.push({ name: each, outcome: await lookAtGarden(garden, each, commandLineOwner) });
      return {
        text: outcomes.length === 0 ? NONE : joined(outcomes.map(outcomeText), "\n"),
        json: { gardens: outcomes },
        exit: outcomes.some(({ outcome }) => outcome.kind === "refused") ? 1 : 0,
      };
    },
  },
};

function troubleText(name: string, { next_at, trouble }: NonNullable<FollowedGarden["look"]>): Text {
  const { why, subject, text, since } = trouble!;
  const about = subject === undefined ? why : `${why}: ${oneLine(subject)}`;
  const [from, next] = [formatTime(since), formatTime(next_at)];
  return {
    en: `! ${name}: ${oneLine(text.en)} (${about}; since ${from}, next look ${next})`,
    uk: `! ${name}: ${oneLine(text.uk)} (${about}; від ${from}, наступна перевірка ${next})`,
  };
}

function outcomeText({ name, outcome }: { readonly name: string; readonly outcome: Accepted }): Text {
  switch (outcome.kind) {
    case "up-to-date":
      return { en: `${name}: nothing new since ${outcome.seq}`, uk: `${name}: нічого нового після ${outcome.seq}` };
    case "accepted":
      return {
        en: `${name}: accepted announcement ${outcome.seq}, ${outcome.moved.length} refs moved`,
        uk: `${name}: прийнято оголошення ${outcome.seq}, змінено посилань: ${outcome.moved.length}`,
      };
    case "refused": {
      const subject = outcome.subject === undefined ? "" : `: ${oneLine(outcome.subject)}`;
      const why = announcementRefusals[outcome.why];
      return {
        en: `${name}: nothing was taken (${outcome.why}${subject}). ${why.en}`,
        uk: `${name}: нічого не взято (${outcome.why}${subject}). ${why.uk}`,
      };
    }
  }
}
