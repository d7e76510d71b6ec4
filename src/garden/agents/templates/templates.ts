import { archivistTemplate } from "./archivist.ts";
import { dailyNoteTemplate } from "./daily-note.ts";
import { gardenerTemplate } from "./gardener.ts";
import { glossaryKeeperTemplate } from "./glossary-keeper.ts";
import { inboxSorterTemplate } from "./inbox-sorter.ts";
import { librarianTemplate } from "./librarian.ts";
import { linkCheckerTemplate } from "./link-checker.ts";
import { meetingNotesTemplate } from "./meeting-notes.ts";
import { taggerTemplate } from "./tagger.ts";
import type { AgentTemplate } from "./template.ts";
import { translatorTemplate } from "./translator.ts";
import { weeklyDigestTemplate } from "./weekly-digest.ts";

/** The gallery, in the order in which it is shown. */
export const agentTemplates: readonly AgentTemplate[] = [
  gardenerTemplate,
  taggerTemplate,
  dailyNoteTemplate,
  weeklyDigestTemplate,
  archivistTemplate,
  librarianTemplate,
  meetingNotesTemplate,
  inboxSorterTemplate,
  glossaryKeeperTemplate,
  linkCheckerTemplate,
  translatorTemplate,
];

export const findTemplate = (id: string): AgentTemplate | undefined => agentTemplates.find((each) => each.id === id);
