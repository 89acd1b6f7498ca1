import { FieldList, isOnPages, type Field, type FormElement } from '@sheaf/contracts';
import { assetsAt } from './assets';
import { readAnswers } from './filling/answers';
import { shownItems } from './filling/shown-items';
import type { AccessPage, CheckPage, Frame, MessagePage, QuestionsPage, ReceiptPage, SavedPage, ShownItem, View } from './view';

/** Views for tests. Each function takes the parts that a test is about. */

export const frame: Frame = {
  language: 'en',
  authorLanguage: 'en',
  languages: [],
  form: { title: 'Site visit', settings: {} },
  logo: undefined,
  pictureAt: (picture) => `/f/site-visit/pictures/${picture}`,
  assets: { ...assetsAt((name) => `/assets/${name}`), theme: undefined },
  timeZone: 'Europe/Berlin',
  isEmbedded: false,
  ownPage: undefined,
};

const questionsPage: QuestionsPage = {
  kind: 'questions',
  action: '/f/site-visit',
  hidden: [['token', 't0ken']],
  step: undefined,
  items: [],
  earlier: {},
  today: '2026-05-31',
  labels: {},
  faults: [],
  notice: undefined,
  dropped: [],
  hasBack: false,
  next: 'send',
  hasSave: false,
  price: undefined,
  proof: undefined,
};

/** Fields and elements as an author writes them. */
export const itemsOf = (...items: readonly Record<string, unknown>[]): (Field | FormElement)[] =>
  FieldList.parse(items.map((item) => ({ label: 'Your answer', ...item }))).filter(isOnPages);

export const shownItem = (item: Field | FormElement, index = 0, parts: Partial<ShownItem> = {}): ShownItem => ({
  index,
  item,
  isShown: true,
  values: [],
  files: [],
  ...parts,
});

/** Fields and elements as a page shows them once this was entered. */
export function enteredItems(items: readonly (Field | FormElement)[], entered: Readonly<Record<string, string>>): ShownItem[] {
  const values = new Map(Object.entries(entered).map(([key, value]) => [key, [value]]));
  const read = readAnswers(items, values, new Map(), 'en', () => questionsPage.today);
  const filling = { items, values, read, files: new Map<string, []>(), seed: '', language: 'en', authorLanguage: 'en' };
  return shownItems(
    items.map((item, index) => ({ item, index })),
    { ...filling, fullOptions: () => undefined },
  );
}

export const questions = (parts: Partial<Frame & QuestionsPage> = {}): View => ({ ...frame, ...questionsPage, ...parts });

/** The page with a single question. */
export const question = (item: Record<string, unknown>, shown: Partial<ShownItem> = {}, parts: Partial<Frame & QuestionsPage> = {}): View =>
  questions({ items: itemsOf({ key: 'answer', ...item }).map((each) => shownItem(each, 0, shown)), ...parts });

export const check = (parts: Partial<Frame & CheckPage> = {}): View => ({
  ...frame,
  kind: 'check',
  action: '/f/site-visit',
  hidden: [],
  answers: [],
  notice: undefined,
  receipt: undefined,
  hasSave: false,
  price: undefined,
  proof: undefined,
  ...parts,
});

export const receipt = (parts: Partial<Frame & ReceiptPage> = {}): View => ({
  ...frame,
  kind: 'receipt',
  reference: '7K3F-92QD-5A',
  sentAt: new Date('2026-05-31T12:30:00Z'),
  payment: undefined,
  wasSentBefore: false,
  answers: undefined,
  onward: undefined,
  again: '/f/site-visit',
  ...parts,
});

export const saved = (parts: Partial<Frame & SavedPage> = {}): View => ({
  ...frame,
  kind: 'saved',
  link: 'https://forms.example/f/site-visit/resume/s3cret',
  expiresAt: new Date('2026-06-30T12:00:00Z'),
  ...parts,
});

export const access = (parts: Partial<Frame & AccessPage> = {}): View => ({
  ...frame,
  form: undefined,
  kind: 'access',
  action: '/f/site-visit/access',
  hidden: [['access_to', '/f/site-visit']],
  fault: undefined,
  hasAnswers: false,
  inWindow: undefined,
  ...parts,
});

export const message = (said: MessagePage['message'], parts: Partial<Frame & MessagePage> = {}): View => ({
  ...frame,
  kind: 'message',
  message: said,
  retry: undefined,
  ...parts,
});
