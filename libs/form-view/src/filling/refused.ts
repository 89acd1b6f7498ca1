import { isCheck, keysOfCheck, type FormCheck, type FormItem } from '@sheaf/contracts';
import type { Fault } from '../view';
import { localMessage } from '../words/localized';
import { stepOfCheck, stepOfField, type Step } from './steps';

/** The check that found the fault; undefined if it is a fault of an answer by itself. */
function checkOf(items: readonly FormItem[], { code, params }: Fault): FormCheck | undefined {
  const item = code === 'refused' ? items[Number(params.check)] : undefined;
  return item && isCheck(item) ? item : undefined;
}

/** The step that a respondent may not leave with the fault: of a check, the one on which the last of its questions stands. */
export function stepOfFault(items: readonly FormItem[], steps: readonly Step[], fault: Fault): Step | undefined {
  const check = checkOf(items, fault);
  return check ? stepOfCheck(steps, check) : stepOfField(steps, fault.key);
}

/** The questions with which the fault has to do. */
export function keysOfFault(items: readonly FormItem[], fault: Fault): ReadonlySet<string> {
  const check = checkOf(items, fault);
  return check ? keysOfCheck(check) : new Set([fault.key]);
}

/** The fault with the message of its check in the language of the page, as far as it is translated. */
export function inWordsOfAuthor(items: readonly FormItem[], fault: Fault, language: string, authorLanguage: string): Fault {
  const check = checkOf(items, fault);
  return check ? { ...fault, authored: localMessage(check, language, authorLanguage) } : fault;
}
