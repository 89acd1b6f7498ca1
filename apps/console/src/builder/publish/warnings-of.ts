import type { AffectedField, AffectedOptions, PublishCheck, PublishWarning } from '@sheaf/client';

/** A warning about answers, with how many submissions have one. */
export interface AnswerWarning {
  warning: PublishWarning;
  /** Undefined if they were not counted. */
  count: number | undefined;
  /** Whether there may be more than were counted. */
  isLeast: boolean;
  /** The values of the options that the warning is about. */
  options: readonly string[];
}

const ofFields: ReadonlySet<string> = new Set(['field_removed', 'field_retyped'] satisfies PublishWarning['code'][]);

/** The warnings of a check: those about answers, others, and texts that an earlier version of the services gives without codes. */
export function warningsOf(check: PublishCheck): { ofAnswers: AnswerWarning[]; others: PublishWarning[]; texts: readonly string[] } {
  const all = (check as Partial<PublishCheck>).warning_details ?? [];
  const ofAnswers: AnswerWarning[] = [];
  const others: PublishWarning[] = [];
  for (const warning of all) {
    const of = ({ key }: AffectedField) => key === warning.params.key;
    if (ofFields.has(warning.code)) ofAnswers.push(counted(warning, check.affected.find(of)));
    else if (warning.code === 'options_removed') ofAnswers.push(counted(warning, check.affected_options.find(of)));
    else others.push(warning);
  }
  return { ofAnswers, others, texts: all.length === 0 ? check.warnings : [] };
}

const counted = (warning: PublishWarning, affected: AffectedField | AffectedOptions | undefined): AnswerWarning => ({
  warning,
  count: affected?.submissions ?? affected?.submissions_at_least,
  isLeast: affected?.submissions === undefined,
  options: affected && 'options' in affected ? affected.options : [],
});
