import type { Frame } from '@sheaf/form-view';
import type { Client, FormsDefinition, SubmissionsDefinition } from '@sheaf/rpc';
import type { Asked } from '../asked';
import type { KnownForms, OpenForm } from './known-forms';
import type { Tokens } from './tokens';
import type { UntouchedPages } from './untouched-pages';

/** The dependencies of the pages of forms. */
export interface Deps {
  submissions: Client<SubmissionsDefinition>;
  forms: Client<FormsDefinition>;
  knownForms: KnownForms;
  tokens: Tokens;
  untouchedPages: UntouchedPages;
  /** The addresses of the files that pages load. */
  assets: Omit<Frame['assets'], 'theme'>;
}

/** One request to a page of a form. */
export interface Visit {
  asked: Asked;
  /** The path of the form's page, as the respondent wrote it: with the id or the slug. */
  path: string;
  language: string;
  /** Whether the language was asked for by `?lang`, and so stays in addresses. */
  hasLanguage: boolean;
  /** Whether the page is shown inside another one. */
  isEmbedded: boolean;
}

export interface FormVisit extends Visit {
  form: OpenForm;
  /** Whether a respondent opens the form, which is counted. */
  isView: boolean;
  /** The values that the address has for fields. */
  filling: readonly [string, string][];
}

/** An address of a page of the form, in the same language and frame. */
export function hrefOf({ path, language, hasLanguage, isEmbedded }: Visit, more = '', query: readonly [string, string][] = []): string {
  const own: [string, string][] = [
    ...(hasLanguage ? [['lang', language] as [string, string]] : []),
    ...(isEmbedded ? [['embed', '1'] as [string, string]] : []),
  ];
  const parameters = new URLSearchParams([...own, ...query]);
  return `${path}${more}${parameters.size > 0 ? `?${parameters.toString()}` : ''}`;
}

/** The untouched form, with the values that this address has for it. */
const filledIn = (visit: Visit & Partial<FormVisit>): string => hrefOf(visit, '', visit.filling);

/**
 * The address to which a page sends its answers. A browser forgets the page that it has of an address as soon as it sends something there,
 * so this is not the address of the untouched page: Back would bring a new one, with the old answers but another token, and they could be
 * sent twice. It names the form by its id, as everything does that follows, because the author may change the slug while the page is open.
 */
export const actionOf = (visit: Visit & { form?: OpenForm }): string =>
  hrefOf(visit.form ? { ...visit, path: `/f/${visit.form.id}` } : visit, '', [['fill-in', '1']]);

/** Empty if the author has not said: a guess would make screen readers mispronounce the form. */
export const authorLanguageOf = ({ settings }: Pick<OpenForm, 'settings'>): string =>
  settings.default_language ?? settings.languages?.[0] ?? '';

export function frameOf({ assets }: Deps, visit: Visit & Partial<FormVisit>, switchTo: readonly string[] = []): Frame {
  const { form, language, isEmbedded } = visit;
  const theme = form?.settings.theme;
  return {
    language,
    authorLanguage: form ? authorLanguageOf(form) : language,
    languages: switchTo.map((each) => ({ language: each, href: filledIn({ ...visit, language: each, hasLanguage: true }) })),
    form: form && { title: form.title, settings: form.settings },
    logo: form && theme?.logo !== undefined ? `${visit.path}/logo?v=${encodeURIComponent(theme.logo)}` : undefined,
    // By its id, as the author may change the slug while the page is open.
    pictureAt: (picture) => `${form ? `/f/${form.id}` : visit.path}/pictures/${picture}`,
    assets: {
      ...assets,
      theme: form && (theme?.accent ?? theme?.background) !== undefined ? `${visit.path}/theme.css?v=${form.settingsHash}` : undefined,
    },
    timeZone: form?.timeZone,
    isEmbedded,
    ownPage: form && isEmbedded ? filledIn({ ...visit, isEmbedded: false }) : undefined,
  };
}
