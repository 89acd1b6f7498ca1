import {
  answerFault,
  answerFormOf,
  answerRules,
  fieldAt,
  fieldsOf,
  fieldsOfItem,
  isBlank,
  isCheck,
  isComputed,
  isField,
  isMatrix,
  isRepeat,
  keyInItem,
  Look,
  keptAnswer,
  missingRows,
  rowsNamed,
  offeredOptions,
  optionsInOrder,
  ownMessage,
  refusal,
  requirement,
  visibility,
  type AnswerForm,
  type AnswerRefusal,
  type Field,
  type FormItem,
} from '@sheaf/contracts';
import { calculated } from '@sheaf/formulas';
import { maxReportedErrors, type AnswerFault } from '@sheaf/kernel';
import type { Match } from './match-thread';
import type { Patterns } from './patterns';

export type Answers = Record<string, unknown>;

/** The answers to keep, or the faults found in them; `unlisted` is the number of further ones. */
export type Checked = { answers: Answers; faults: [] } | { faults: [AnswerFault, ...AnswerFault[]]; unlisted: number };

/**
 * Returns a promise only when a slow pattern has to be matched in a thread.
 * @param today the day in the time zone of the form on which the answers arrive, for formulas that ask for it
 * @param shown is called with the key of each field that the answers show, in the order of the fields
 */
export type AnswerCheck = (input: Answers, today: () => string, shown?: (key: string) => void) => Checked | Promise<Checked>;

/** Why an answer is refused; undefined if it is valid. */
type Fault = AnswerRefusal | undefined;
type SlowFault = () => Promise<Fault>;
interface Slow {
  field: Field;
  /** The place of the answer, as a fault names it. */
  key: string;
  fault: SlowFault;
}
type Check = (answer: unknown) => Fault | SlowFault;

/** An item of the form, with what its answer is checked by; of a repeat, also the fields of its items. */
type Step =
  | { field: Field; form: AnswerForm; check: Check; inItem: Step[]; element?: undefined }
  | { element: FormItem; field?: undefined; form?: undefined; check?: undefined; inItem?: undefined };

/**
 * Checks answers against the fields of a published version, and returns them in the form in which they are kept. Empty answers (`null`, an empty string, an empty list) count as unanswered and
 * are dropped. So are answers to fields that other answers hide, because a page without scripts sends them anyway. Text without a visible
 * character is kept, but does not answer a required field. The answer to a calculated field is computed here, whatever the input has for it. An unknown key is rejected, as it would otherwise be lost silently. The checks of
 * the form are last, because they depend on answers that are right.
 */
export function answerCheck(items: readonly FormItem[], patterns: Patterns): AnswerCheck {
  const stepsOf = (some: readonly FormItem[]): Step[] =>
    some.map((item) =>
      isField(item)
        ? { field: item, form: answerFormOf(item), check: checkOf(item, patterns), inItem: stepsOf(fieldsOfItem(item)) }
        : { element: item },
    );
  const steps = stepsOf(items);
  const checks = items.flatMap((item, check) => (isCheck(item) ? [{ ...item, check }] : []));
  const keys = new Set(fieldsOf(items).map(({ key }) => key));

  return (input, today, shown) => {
    const faults: AnswerFault[] = [];
    let unknown = 0;
    /** A sender can make up any number of keys, so no more of them become faults than are reported. */
    const refuseUnknown = (given: Answers, isKnown: (key: string) => boolean, placeOf = same): void => {
      for (const key of Object.keys(given)) {
        if (isKnown(key)) continue;
        unknown += 1;
        // Real keys are shorter; do not echo a long made-up one in full.
        if (unknown <= maxReportedErrors) faults.push({ key: placeOf(key.slice(0, 64)), ...answerFault('unknown_field') });
      }
    };
    refuseUnknown(input, (key) => keys.has(key));

    const answers: Answers = {};
    const slow: Slow[] = [];
    const asked = new Set<string>();
    const isRequired = requirement();
    const look = new Look();
    /**
     * Adds the answers to what has answers already. A field depends only on earlier fields, whose answers are final by then.
     * @param placeOf the place of an answer, as a fault names it
     */
    const take = (given: Answers, among: readonly Step[], into: Answers, isShown: ReturnType<typeof visibility>, placeOf = same): void => {
      for (const { field, form, check, inItem, element } of among) {
        if (!isShown(element ?? field, into) || element) continue;
        const key = placeOf(field.key);
        if (placeOf === same) {
          shown?.(key);
          asked.add(key);
        }
        if (isComputed(field)) {
          const result = calculated(items, field, { answers: into, today });
          if (result !== undefined) into[field.key] = result;
          continue;
        }
        const answer = Object.hasOwn(given, field.key) ? keptAnswer(form, given[field.key]) : undefined;
        const isBare = isEmpty(answer);
        if (isBare || (typeof answer === 'string' && isBlank(answer))) {
          const isMissing = isRequired(field, into);
          if (isMissing) faults.push(faultOf(field, key, answerFault('required')));
          if (isMissing || isBare) continue;
        }
        const fault = offeredFault(check(answer), field, { answer, answers: into, look });
        if (typeof fault === 'object') {
          faults.push(faultOf(field, key, fault));
          continue;
        }
        const missing = isMatrix(field) && isRequired(field, into) ? missingRows(field, answer) : [];
        if (missing.length > 0) {
          faults.push(faultOf(field, key, answerFault('missing_rows', rowsNamed(missing.map(({ value }) => value)))));
          continue;
        }
        const kept = isRepeat(field) ? takeItems(field, inItem, answer as readonly Answers[], into) : optionsInOrder(field, answer);
        if (kept !== undefined) into[field.key] = kept;
        if (fault) slow.push({ field, key, fault });
      }
    };
    /** The items of a repeat; undefined if one of them has a fault. */
    const takeItems = (repeat: Field, inItem: readonly Step[], given: readonly Answers[], before: Answers): Answers[] | undefined => {
      const faultsBefore = faults.length;
      const own = fieldsOfItem(repeat).map(({ key }) => key);
      const isShown = visibility();
      // One object for all items: those of a form with hundreds of answers would copy them each time.
      const known = { ...before };
      const items = given.map((item, at) => {
        for (const key of own) Reflect.deleteProperty(known, key);
        const placeOf = (key: string) => keyInItem(repeat.key, at, key);
        refuseUnknown(item, (key) => own.includes(key), placeOf);
        take(item, inItem, known, isShown, placeOf);
        return Object.fromEntries(own.flatMap((key) => (Object.hasOwn(known, key) ? [[key, known[key]]] : [])));
      });
      return faults.length === faultsBefore ? items : undefined;
    };
    take(input, steps, answers, visibility());
    const isRefused = refusal();
    const faulty = new Set(faults.map(({ key }) => fieldAt(key)));
    for (const { check, ...rule } of checks)
      if (isRefused(rule, answers, asked, faulty))
        faults.push({ key: rule.at, ...answerFault('refused', { check }), message: rule.message });
    const [first, ...others] = faults;
    if (first) return { faults: [first, ...others], unlisted: Math.max(unknown - maxReportedErrors, 0) };
    return slow.length === 0 ? { answers, faults: [] } : matchSlow(answers, slow);
  };
}

/** The fault of an answer where the other answers offer some of the options only. A respondent who has chosen all of them cannot choose more. */
function offeredFault(
  fault: ReturnType<Check>,
  field: Field,
  { answer, answers, look }: { answer: unknown; answers: Answers; look: Look },
): ReturnType<Check> {
  const isTooFew = typeof fault === 'object' && fault.code === 'too_few_choices';
  if (fault !== undefined && !isTooFew) return fault;
  const offered = offeredOptions(field, answers, look);
  if (!offered) return fault;
  const chosen = [answer].flat();
  if (!chosen.every((value) => offered.has(value))) return answerFault('option_not_offered');
  return chosen.length === offered.size ? undefined : fault;
}

const same = (key: string): string => key;

/** With the author's message in place of ours, if there is one. */
const faultOf = ({ messages }: Field, key: string, fault: AnswerRefusal): AnswerFault => ({
  key,
  ...fault,
  message: ownMessage(messages, fault) ?? fault.message,
});

/** One at a time, so that a submission takes no more than its share of the threads. */
async function matchSlow(answers: Answers, slow: readonly Slow[]): Promise<Checked> {
  const found = new Map<Slow, AnswerFault>();
  for (const each of byPattern(slow)) {
    const refusal = await each.fault();
    if (refusal) found.set(each, faultOf(each.field, each.key, refusal));
    // The remaining patterns could take just as long.
    if (refusal?.code === 'format_too_slow') break;
  }
  const [first, ...others] = slow.flatMap((each) => found.get(each) ?? []);
  return first ? { faults: [first, ...others], unlisted: 0 } : { answers, faults: [] };
}

/** The answers to one pattern after those to another: a thread keeps few patterns compiled, and the items of a repeat ask for them in turn. */
function byPattern(slow: readonly Slow[]): Slow[] {
  const places = new Map([...new Set(slow.map(({ field }) => field.pattern))].map((pattern, at) => [pattern, at]));
  return slow.toSorted((a, b) => (places.get(a.field.pattern) ?? 0) - (places.get(b.field.pattern) ?? 0));
}

const isEmpty = (answer: unknown): boolean =>
  answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);

function checkOf(field: Field, patterns: Patterns): Check {
  const fault = answerRules(field);
  if (field.pattern === undefined) return fault;
  const match = patterns.matcher(field.pattern);
  return (answer) => {
    const found = fault(answer) ?? match(String(answer));
    if (typeof found === 'object') return found;
    return typeof found === 'string' ? patternFault(found) : async () => patternFault(await found());
  };
}

const patternFault = (found: Match): Fault =>
  found === 'matches' ? undefined : answerFault(found === 'late' ? 'format_too_slow' : 'wrong_format');
