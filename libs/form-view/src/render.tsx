import { conditionsOf, isField, pipedKeys } from '@sheaf/contracts';
import { renderToStaticMarkup } from 'react-dom/server';
import { isSearched } from './fields/choice-controls';
import { hasPad } from './fields/signature';
import { innerKey } from './filling/item-keys';
import { Access } from './pages/access';
import { Check, checkTitle } from './pages/check';
import { Message, messageTitle } from './pages/message';
import { Questions, questionsTitle } from './pages/questions';
import { Receipt, receiptTitle } from './pages/receipt';
import { Saved } from './pages/saved';
import { Page } from './parts/page';
import { ReadingProvider, readingOf, type Reading } from './reading';
import { withRepeated, type Frame, type ShownItem, type View } from './view';
import { isolated } from './words/isolated';
import { localForm } from './words/localized';

/** The page as a whole document of HTML. */
export function render(view: View): string {
  const shownHere = keysOn(view);
  const reading = readingOf(view, shownHere);
  return (
    '<!doctype html>' +
    renderToStaticMarkup(
      <ReadingProvider reading={reading}>
        <Page
          frame={view}
          title={titleOf(view, reading)}
          isListed={view.kind === 'questions'}
          follower={followerOf(view)}
          hasPiping={shownHere.size > 0}
          hasSearch={questionsOf(view).some(({ item }) => isSearched(item))}
          hasPad={view.kind === 'questions' && view.items.some(hasPad)}
        >
          <Content view={view} />
        </Page>
      </ReadingProvider>,
    )
  );
}

/** The questions of a page whose answers are shown on it. Those in an item of a repeat are shown there. */
function keysOn(view: View): ReadonlyMap<string, string> {
  const shown = questionsOf(view);
  const asked = new Set(shown.flatMap(({ item }) => (isField(item) ? [innerKey(item.key)] : [])));
  return new Map(shown.flatMap(({ item }) => [...pipedKeys(item)].flatMap((key) => (asked.has(key) ? [[key, key]] : []))));
}

const questionsOf = (view: View): readonly ShownItem[] => (view.kind === 'questions' ? withRepeated(view.items) : []);

/** The script that a page needs to follow what is entered. */
function followerOf(view: View): string | undefined {
  const shown = questionsOf(view);
  if (shown.some(({ result }) => result?.formula !== undefined)) return view.assets.formulas;
  return shown.some(({ item }) => conditionsOf(item).length > 0) ? view.assets.conditions : undefined;
}

function Content({ view }: { view: View }) {
  switch (view.kind) {
    case 'questions':
      return <Questions page={view} frame={view} form={formOf(view)} />;
    case 'check':
      return <Check page={view} frame={view} form={formOf(view)} />;
    case 'receipt':
      return <Receipt page={view} form={view.form} />;
    case 'saved':
      return <Saved page={view} form={view.form} />;
    case 'access':
      return <Access page={view} />;
    case 'message':
      return <Message page={view} form={view.form} />;
  }
}

function formOf({ form, kind }: View): NonNullable<Frame['form']> {
  if (!form) throw new Error(`A page of the kind ${kind} needs its form.`);
  return form;
}

/** The heading, then the form: in a tab that is cut off, the heading tells the pages apart. */
function titleOf(view: View, reading: Reading): string {
  const { words, language, authorLanguage } = reading;
  const form = view.form && localForm(view.form, language, authorLanguage).title.text;
  const heading = headingOf(view, reading);
  const title = [...new Set([heading, form ?? heading])].map((text) => isolated(language, text)).join(' – ');
  const isWrong = view.kind === 'access' ? view.fault !== undefined : view.kind === 'questions' && view.faults.length > 0;
  return isWrong ? words.errorTitle(title) : title;
}

function headingOf(view: View, reading: Reading): string {
  const { words, language, authorLanguage } = reading;
  switch (view.kind) {
    case 'questions':
      return questionsTitle(view, localForm(formOf(view), language, authorLanguage).title, language, authorLanguage);
    case 'check':
      return checkTitle(view, words);
    case 'receipt':
      return receiptTitle(view, reading);
    case 'saved':
      return words.savedTitle;
    case 'access':
      return words.accessTitle;
    case 'message':
      return messageTitle(view, words);
  }
}
