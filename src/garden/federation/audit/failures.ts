import { Failure } from "../../../base/failure.ts";

export const emptyAuditRange = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "there is no commit in this range",
    uk: "у цьому проміжку немає жодного коміту",
    hint: { en: "`git log --oneline` shows the commits of main", uk: "коміти main показує `git log --oneline`" },
  });

export const noCommitToAudit = (oid: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no commit ${oid}`,
    uk: `немає коміту ${oid}`,
    hint: { en: "give the whole id of a commit of main", uk: "вкажіть повний id коміту main" },
  });

export const notAnAuditBundle = (file: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${file} is a bundle of git without the records of an audit`,
    uk: `${file} — пакунок git без записів перевірки`,
    hint: { en: "`bloom audit bundle FILE` makes one", uk: "такий робить `bloom audit bundle FILE`" },
  });
