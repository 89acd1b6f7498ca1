import { tryFormDraft, type AnswerFaultDetail, type FormSettingsDetail } from '@sheaf/client';
import { fieldsOf, type FormItem, type Payment } from '@sheaf/contracts';
import {
  initialValues,
  inWordsOfAuthor,
  itemsEntered,
  render,
  repeatOf,
  stepOfFault,
  stepsOf,
  faultsInMissingItems,
  withAnotherItem,
  withFirstItems,
  withoutEmptyItems,
  withoutItem,
  withRepeated,
  type Fault,
} from '@sheaf/form-view';
import { RotateCcw } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { client } from '../../api/client';
import { problemSentence } from '../../api/problem-sentence';
import { Button } from '../../parts/button';
import { classes } from '../../parts/classes';
import type { Theme } from '../../shell/theme';
import { useLanguage, useWords } from '../../words/use-words';
import { usePictures } from '../model/pictures';
import { FormFrame, type Entered } from './form-frame';
import style from './tried-form.module.css';
import { authorLanguageOf, isReviewed, readOf, settingsOf, stepWith, todayOf, viewOf, visibleSteps, type Visit } from './preview-view';

interface Tried {
  form: FormSettingsDetail;
  items: readonly FormItem[];
  payment: Payment | undefined;
  language: string;
  /** Saves the draft, which is what the server tries. @returns whether everything is saved */
  onTry: () => Promise<boolean>;
}

interface TriedFormProps extends Tried {
  isPhone: boolean;
  /** The item, by its number, that is being worked on beside the page: the page with it is shown. */
  spot?: number | undefined;
  look: Theme;
  onLanguage: (language: string) => void;
}

/** The pages of the form in a frame, with what the server says to the answers. */
export function TriedForm({ isPhone, look, onLanguage, spot, ...tried }: TriedFormProps) {
  const say = useWords('builder').tried;
  const { visit, said, press, restart, goTo } = useVisit(tried);
  const showSpot = useEffectEvent(() => {
    const step = spot === undefined ? -1 : stepAt(visit.items, spot);
    if (visibleSteps(visit).includes(step)) goTo(step);
  });
  useEffect(() => showSpot(), [spot]);
  // The frame loads anew when its page changes, and only then.
  const html = useMemo(() => render(viewOf(visit)), [visit]);
  return (
    <>
      <div className={style.said}>
        <p role="status" className={said === undefined ? 'muted' : undefined}>
          {said ?? say.tryIt}
        </p>
        <Button isSmall icon={RotateCcw} onPress={restart}>
          {say.again}
        </Button>
      </div>
      <FormFrame
        html={html}
        place={`${visit.seed} ${visit.at}`}
        spot={spot}
        title={say.title}
        className={classes(style.frame, isPhone && style.phone)}
        look={look}
        theme={settingsOf(visit).theme}
        items={visit.items}
        language={visit.language}
        today={todayOf(visit)}
        earlier={readOf(visit).answers}
        onPress={(action, entered) => void press(action, entered)}
        onLanguage={onLanguage}
        onAgain={restart}
      />
    </>
  );
}

const untouched = ({ items, language }: Tried): Pick<Visit, 'values' | 'files' | 'at' | 'seed' | 'faults' | 'begin'> => ({
  values: withFirstItems(items, new Map(fieldsOf(items).map((field) => [field.key, initialValues(field, language)])), language),
  files: new Map(),
  at: 0,
  seed: String(Math.random()),
  faults: [],
});

/** A respondent who fills in the form, from step to step, as on the real pages. */
function useVisit(tried: Tried) {
  const say = useWords('builder').tried;
  const consoleLanguage = useLanguage();
  const { form, items, payment, language, onTry } = tried;
  const pictures = usePictures(form.id, items);
  const [entered, setEntered] = useState(() => untouched(tried));
  const [said, setSaid] = useState<string>();
  // The form may change while somebody tries it.
  const visit = useMemo(
    (): Visit => ({ ...entered, form, items, payment, language, pictures }),
    [form, items, payment, language, pictures, entered],
  );

  /** The server's judgement of these answers; undefined if it could not be asked. */
  const faultsOf = async (answered: Visit): Promise<Fault[] | undefined> => {
    if (!(await onTry())) {
      setSaid(say.notSaved);
      return undefined;
    }
    setSaid(say.trying);
    const files = new Set(answered.files.keys());
    const read = readOf(answered);
    const answers = Object.entries(read.answers).filter(([key]) => !files.has(key));
    try {
      const { faults } = await tryFormDraft({ client, path: { id: form.id }, body: { data: Object.fromEntries(answers) } });
      const wrong = faults.filter(({ key, code }) => !(code === 'required' && files.has(key))).map(faultFrom);
      return faultsInMissingItems(items, wrong, read.answers).map((fault) =>
        inWordsOfAuthor(items, fault, language, authorLanguageOf(form)),
      );
    } catch (error) {
      setSaid(problemSentence(error, consoleLanguage).title);
      return undefined;
    }
  };

  const press = async (action: string, arrived: Entered) => {
    const values = new Map([...visit.values, ...clearedOn(visit), ...arrived.values]);
    const all: Visit = { ...visit, values, files: new Map([...visit.files, ...arrived.files]), faults: [], begin: undefined };
    const answered: Visit = /^(?:add|drop):/.test(action) ? all : { ...all, values: withoutEmptyItems(items, values, readOf(all)) };
    const go = (at: Visit['at'], faults: readonly Fault[] = []) => setEntered({ ...answered, at, faults });
    const steps = visibleSteps(answered);
    const here = typeof answered.at === 'number' ? steps.indexOf(answered.at) : steps.length;
    const [what, key = '', number] = action.split(':');
    if (what === 'back') return go(steps[here - 1] ?? 0);
    if (what === 'change') return go(Math.max(0, stepWith(answered, key)));
    if (what === 'save') {
      setSaid(say.notHere);
      return setEntered({ ...visit, values });
    }
    const repeat = repeatOf(items, key);
    if (repeat && what === 'add') {
      const further = withAnotherItem(repeat, values, language);
      return setEntered({ ...answered, values: further, begin: `${key}[${itemsEntered(repeat, further) - 1}]` });
    }
    if (repeat && what === 'drop') return setEntered({ ...answered, values: withoutItem(repeat, values, Number(number)), begin: key });

    const faults = await faultsOf(answered);
    if (!faults) return setEntered(answered);
    const isSending = answered.at === 'check' || (here === steps.length - 1 && !isReviewed(answered));
    const concerned = isSending ? faults : faults.filter((fault) => isDue(answered, fault));
    const [first] = concerned;
    setSaid(first ? say.wouldRefuse(concerned.length) : isSending ? say.wouldAccept : undefined);
    // A check may show its message at a question of an earlier step.
    const isHere = !isSending && concerned.some(({ key: of }) => stepWith(answered, of) === answered.at);
    if (first) return go(isHere ? answered.at : Math.max(0, stepWith(answered, first.key)), concerned);
    go(isSending ? 'receipt' : (steps[here + 1] ?? 'check'));
  };

  const restart = () => {
    setSaid(undefined);
    setEntered(untouched(tried));
  };
  const goTo = (step: number) => setEntered((now) => (step === now.at ? now : { ...now, at: step, faults: [], begin: undefined }));
  return { visit, said, press, restart, goTo };
}

/** The number of the step that shows an item; -1 for one that no step shows. */
const stepAt = (items: readonly FormItem[], spot: number): number =>
  stepsOf(items).findIndex((step) => step.page === items[spot] || step.items.some(({ index }) => index === spot));

const isDue = (visit: Visit, fault: Fault): boolean => {
  const steps = stepsOf(visit.items);
  const step = stepOfFault(visit.items, steps, fault);
  return step !== undefined && steps.indexOf(step) === visit.at;
};

const faultFrom = ({ key, code, params, message }: AnswerFaultDetail): Fault => ({ key, code, params, message });

/** An option that was not ticked does not arrive: on the page that was sent, no value means none. */
const clearedOn = (visit: Visit): [string, string[]][] => {
  const view = viewOf(visit);
  return view.kind === 'questions'
    ? withRepeated(view.items).flatMap(({ item }) => ('key' in item ? [[item.key, []] as [string, string[]]] : []))
    : [];
};
