import {
  Database,
  FilePlus,
  FileText,
  GitMerge,
  type LucideIcon,
  MessageSquareText,
  Paperclip,
  PenLine,
  Tag,
  TextAlignStart,
  Undo2,
  Workflow,
} from "lucide-react";

const icons: Readonly<Record<string, LucideIcon>> = {
  "propose-note": FilePlus,
  "propose-edit": PenLine,
  "propose-tag": Tag,
  "propose-comment": MessageSquareText,
  "propose-summary": TextAlignStart,
  "propose-artifact": Paperclip,
  "memory-update": Database,
  "logic-update": Workflow,
  "logic-rollback": Undo2,
  "propose-merge": GitMerge,
};

/** The icon of a kind of change. */
export function KindIcon({ action, size = 17 }: { readonly action: string; readonly size?: number }) {
  const Icon = icons[action] ?? FileText;
  return <Icon size={size} strokeWidth={1.75} aria-hidden="true" />;
}
