import { z } from 'zod';

const bounds = 'must be 6 to 100 letters, digits and signs of ASCII, and neither begin nor end with a space';

/** The code that respondents enter before they see a form. ASCII, because a header carries it. */
export const accessCode = () => z.string('must be a string').regex(/^[!-~][ -~]{4,98}[!-~]$/, bounds);

/** The header that has the code of a form, also in the details of a refusal. */
export const accessHeader = 'Access-Code';

/** How long a pass stands for the code with which it was got: a working day, on a device that others may use after it. */
export const accessPassMs = 12 * 3_600_000;

/** Why a form is refused to a respondent. */
export const accessFaults = ['access_code_required', 'access_code_wrong'] as const;

export type AccessFault = (typeof accessFaults)[number];

/** The fault of a refusal that ends with the right code; undefined for every other refusal. */
export const accessFaultIn = (details: readonly { key: string; code?: string }[] | undefined): AccessFault | undefined => {
  const code = details?.find(({ key }) => key === accessHeader)?.code;
  return accessFaults.find((each) => each === code);
};

/** No JSON begins with it, so an earlier release, which knows no codes, fails to read the settings and serves nothing of the form. */
const mark = 'access-code:';

/** The settings of a form as they are stored, and between services: with the hash of its code before them, if it has one. */
export const withAccessHash = (json: string, accessHash: string | undefined): string =>
  accessHash === undefined ? json : `${mark}${accessHash}\n${json}`;

export function withoutAccessHash(stored: string): { json: string; accessHash: string | undefined } {
  if (!stored.startsWith(mark)) return { json: stored, accessHash: undefined };
  const end = stored.indexOf('\n');
  return { json: stored.slice(end + 1), accessHash: stored.slice(mark.length, end) };
}

/**
 * The key of a respondent's request to a form with a code: the code, or the pass that was given for it. Their names tell them apart on the way between
 * processes.
 */
export type Access = { code: string } | { pass: string };

export const accessText = (access: Access): string => ('code' in access ? `code:${access.code}` : `pass:${access.pass}`);

export function readAccess(text: string | undefined): Access | undefined {
  if (text?.startsWith('code:') === true) return { code: text.slice(5) };
  return text?.startsWith('pass:') === true ? { pass: text.slice(5) } : undefined;
}
