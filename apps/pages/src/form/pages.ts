import { accessFaultIn } from '@sheaf/contracts';
import { assetsAt, chooseLanguage, render, themeCss } from '@sheaf/form-view';
import { Problem } from '@sheaf/kernel';
import type { Client, FormsDefinition, SubmissionsDefinition } from '@sheaf/rpc';
import { Router, type Request, type Response } from 'express';
import { askedOf } from '../asked';
import type { Assets } from '../assets';
import { sendHtml } from '../html';
import { askForCode, enterCode, targetAfterCode } from './access';
import { droppedControl, filling, isDropped } from './entered';
import { open, take } from './fill-in';
import { gone } from './gone';
import { KnownForms, type OpenForm } from './known-forms';
import { page, type Ending, type Outcome } from './outcome';
import { draw, goTo, show } from './places';
import { embeddedMessagePolicy, formPolicy } from './policy';
import { readPosted, type Posted, type PostedFile } from './posted';
import { isInFrame, isOpenedElsewhere, isOurs, provenControls } from './provenance';
import { showReceipt } from './receipt';
import { resume, showSaved } from './saved';
import { Tokens } from './tokens';
import { UntouchedPages } from './untouched-pages';
import { message } from './views';
import { actionOf, hrefOf, type Deps, type FormVisit, type Visit } from './visit';

interface Parts {
  forms: Client<FormsDefinition>;
  submissions: Client<SubmissionsDefinition>;
  settings: { PAGES_SECRETS: readonly [string, ...string[]]; PAYMENT_PAGE_ORIGINS: readonly string[] };
  assets: Assets;
}

/** The pages of forms, and the page that says what went wrong. */
export interface FormPages {
  router: Router;
  answerProblem: (problem: Problem, request: Request, response: Response) => void;
}

export function formPages({ forms, submissions, settings, assets }: Parts): FormPages {
  const deps: Deps = {
    submissions,
    forms,
    knownForms: new KnownForms(submissions, forms),
    tokens: new Tokens(settings.PAGES_SECRETS),
    untouchedPages: new UntouchedPages(),
    assets: assetsAt((name) => assets.addressOf(name)),
  };
  const answer = (response: Response, outcome: Ending, form?: OpenForm) => reply(response, outcome, form, settings.PAYMENT_PAGE_ORIGINS);
  const router = Router({ caseSensitive: true });

  /** A page of a form: finds the form and the language, and answers with what the use case says. */
  const onForm =
    (handle: (visit: FormVisit, request: Request) => Promise<Outcome> | Outcome, { view = false } = {}) =>
    async (request: Request, response: Response) => {
      const visit = await formVisit(deps, request, response, { view: view && request.method === 'GET' && !isReturn(request) });
      const outcome = await handle(visit, request);
      answer(response, 'place' in outcome ? page(outcome.place.status, draw(deps, visit, outcome.place)) : outcome, visit.form);
    };

  router.get(
    '/f/:form',
    onForm((visit, request) => open(deps, visit, queryOf(request)), { view: true }),
  );
  router.post('/f/:form', async (request, response) => {
    const found = await formVisit(deps, request, response).catch((thrown: unknown) => Problem.from(thrown));
    if (found instanceof Problem) return answer(response, await retry(deps, request, response, found));
    const outcome = await take(deps, found, request);
    answer(response, 'place' in outcome ? goTo(deps, found, request, outcome.place) : outcome, found.form);
  });
  router.get(
    '/f/:form/at/:place',
    onForm((visit, request) => show(deps, visit, request, parameter(request, 'place'))),
  );
  router.get(
    '/f/:form/receipt/:token',
    onForm((visit, request) => showReceipt(deps, visit, parameter(request, 'token'))),
  );
  router.get(
    '/f/:form/resume/:link',
    onForm((visit, request) => {
      const link = parameter(request, 'link');
      // Another person's link must not look like the one under which the respondent has just saved.
      const hasSaved = queryOf(request).has('saved') && !isOpenedElsewhere(request);
      return hasSaved ? showSaved(deps, visit, link) : resume(deps, visit, request, link);
    }),
  );
  // A reload or a bookmark of the page that said that the code is wrong.
  router.get('/f/:form/access', (request, response) => answer(response, { redirect: hrefOf(visitOf(request, response)) }));
  router.post('/f/:form/access', async (request, response) =>
    answer(response, await enterCode(deps, visitOf(request, response), { request, response, form: parameter(request, 'form') })),
  );
  router.get('/f/:form/theme.css', async (request, response) => {
    const { form } = await formVisit(deps, request, response);
    sendAsset(response, 'text/css; charset=utf-8', themeCss(form.settings.theme ?? {}));
  });
  router.get('/f/:form/logo', async (request, response) => {
    // `forms` has the logo, but only `submissions` knows whom the form admits.
    await deps.knownForms.load(parameter(request, 'form'), askedOf(response).call);
    const { content_type, bytes } = await forms.getLogo(askedOf(response).call, { form: parameter(request, 'form') });
    sendAsset(response, content_type, bytes);
  });
  router.get('/f/:form/pictures/:picture', async (request, response) => {
    const form = parameter(request, 'form');
    // As for the logo: nobody gets a picture who would not get the page.
    await deps.knownForms.load(form, askedOf(response).call);
    const { content_type, bytes } = await forms.getPublishedPicture(askedOf(response).call, {
      form,
      picture: parameter(request, 'picture'),
    });
    // Unlike the logo it may tell what a form asks, also once the form got a code or is gone: only the browser itself keeps it.
    sendAsset(response, content_type, bytes, 'private');
  });

  return {
    router,
    answerProblem: (problem, request, response) => {
      const visit = visitOf(request, response);
      const isCodeMissing = accessFaultIn(problem.details) !== undefined;
      const to = targetAfterCode(visit, request, request.originalUrl);
      answer(response, isCodeMissing ? askForCode(deps, visit, { to }) : problemPage(deps, visit, problem));
    },
  };
}

const queryOf = ({ originalUrl }: Request): URLSearchParams => new URL(originalUrl, 'http://host').searchParams;

/** Whether the address is one to which pages are sent: who asks for it comes back to a step. */
const isReturn = (request: Request): boolean => queryOf(request).has('fill-in');

const isEmbedded = (request: Request): boolean => queryOf(request).get('embed') === '1' || isInFrame(request);

const parameter = ({ params }: Request, name: string): string => String(params[name]);

const longestTag = 35;

/** The facts about a request that are known before its form. */
function visitOf(request: Request, response: Response, offers: Partial<Parameters<typeof chooseLanguage>[0]> = {}): Visit {
  const query = queryOf(request);
  const asked = query.get('lang')?.slice(0, longestTag);
  const [, segment = ''] = /^\/f\/([^/]+)/.exec(request.path) ?? [];
  return {
    asked: askedOf(response),
    path: `/f/${segment}`,
    language: chooseLanguage({
      asked,
      acceptLanguage: request.headers['accept-language'],
      offered: undefined,
      authorLanguage: undefined,
      ...offers,
    }),
    hasLanguage: asked !== undefined,
    isEmbedded: isEmbedded(request),
  };
}

async function formVisit(deps: Deps, request: Request, response: Response, { view = false } = {}): Promise<FormVisit> {
  const form = await deps.knownForms.load(parameter(request, 'form'), askedOf(response).call, { view });
  const { languages: offered, default_language: authorLanguage } = form.settings;
  return { ...visitOf(request, response, { offered, authorLanguage }), form, isView: view, filling: filling(form, queryOf(request)) };
}

/**
 * A page that was sent while its form could not be read. Without the form its questions cannot be shown, so everything that was entered waits
 * behind a button that sends it again; only files, which are named, have to be chosen again. If the form is gone, what was entered is shown
 * instead.
 */
async function retry(deps: Deps, request: Request, response: Response, problem: Problem): Promise<Ending> {
  const visit = visitOf(request, response);
  const isGone = problem.code === 'not_found';
  const isCodeMissing = accessFaultIn(problem.details) !== undefined;
  if (!isGone && !isCodeMissing && problem.code !== 'unavailable' && problem.code !== 'internal_error')
    return problemPage(deps, visit, problem);
  const files: PostedFile[] = [];
  const posted: Posted = await readPosted(request, (file) => {
    files.push(file);
    return Promise.resolve();
  });
  // The token shows that there was such a form, and that its page was ours: no other site may have us show its own words.
  const mayShow = isOurs(deps, visit, parameter(request, 'form'), posted, request);
  if (isGone) return mayShow ? page(404, gone(deps, visit, posted)) : problemPage(deps, visit, problem);
  const hidden = [...provenControls(deps, visit, { request, form: parameter(request, 'form'), posted }), ...files.map(droppedControl)];
  if (isCodeMissing) return askForCode(deps, visit, { to: request.originalUrl, kept: hidden });
  const droppedFiles = mayShow ? hidden.flatMap(([name, value]) => (isDropped(name) ? [value] : [])) : [];
  const view = message(deps, visit, 'unavailable', { action: actionOf(visit), hidden, droppedFiles });
  return problem.code === 'unavailable' ? page(503, view, 5) : page(500, view);
}

function problemPage(deps: Deps, visit: Visit, { code, retryAfterSeconds }: Problem): Ending {
  switch (code) {
    case 'not_found':
      return page(404, message(deps, visit, 'not_found'));
    case 'bad_request':
      return page(400, message(deps, visit, 'bad_request'));
    case 'payload_too_large':
      return page(413, message(deps, visit, 'too_large'));
    case 'too_many_requests':
      return page(429, message(deps, visit, 'too_many_requests'), retryAfterSeconds);
    case 'authentication_required':
    case 'conflict':
    case 'cursor_expired':
    case 'forbidden':
    case 'insufficient_scope':
    case 'internal_error':
    case 'unauthorized':
      return page(500, message(deps, visit, 'unavailable'));
    case 'unavailable':
      return page(503, message(deps, visit, 'unavailable'), retryAfterSeconds ?? 5);
  }
}

function reply(response: Response, outcome: Ending, form: OpenForm | undefined, paymentOrigins: readonly string[]): void {
  // A frame in a sandbox may lead to the form in a window of its own, which browsers refuse to open under `same-origin`.
  response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
  if (form) response.setHeader('Content-Security-Policy', formPolicy(form, paymentOrigins));
  else if (isEmbedded(response.req)) response.setHeader('Content-Security-Policy', embeddedMessagePolicy());
  if ('redirect' in outcome) return response.redirect(303, outcome.redirect);
  if ('resend' in outcome) return response.redirect(307, outcome.resend);
  if ('untouched' in outcome) {
    // It may be shown again from the browser's history, with the same token. Pages with answers may not be kept anywhere.
    response.setHeader('Cache-Control', 'private, no-cache');
    response.setHeader('Content-Language', outcome.language);
    response.vary('Accept-Language');
    return sendHtml(response, 200, outcome.untouched);
  }
  const { status, view, retryAfterSeconds } = outcome;
  if (response.req.path !== pathOfForm(response.req)) {
    // The address has a secret; `same-origin`, which all pages have, tells it to nobody. With `no-referrer` browsers would hide where the page
    // is sent from.
    response.setHeader('X-Robots-Tag', 'noindex');
    // The address of a place is long, and travels to us in each request that the page makes.
    if (isPlace(response.req)) response.setHeader('Referrer-Policy', 'strict-origin');
  }
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  response.setHeader('Content-Language', view.language);
  sendHtml(response, status, render(view));
}

const isPlace = ({ path }: Request): boolean => /^\/f\/[^/]+\/at\//.test(path);

const pathOfForm = ({ path }: Request): string => /^\/f\/[^/]+/.exec(path)?.[0] ?? '';

/** A file whose address changes with its content. */
// A cache that others share must not have what takes a pass to get.
const whoseCache = (response: Response): 'public' | 'private' => (askedOf(response).call.access === undefined ? 'public' : 'private');

function sendAsset(response: Response, type: string, content: string | Buffer, whose = whoseCache(response)): void {
  response.setHeader('Cache-Control', `${whose}, max-age=31536000, immutable`);
  response.setHeader('Content-Type', type);
  response.end(content);
}
