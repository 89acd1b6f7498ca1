import { isUntranslated, type TranslatableText } from '@sheaf/contracts';
import { useState } from 'react';
import { TextField } from '../../parts/fields';
import { Problem } from '../../parts/problem';
import { Badge } from '../../parts/states';
import { useWords } from '../../words/use-words';
import style from './translations.module.css';
import { languageName } from '../../words/language-name';

/** A text and its translation, which is saved once the person goes on. */
export function TextRow({
  text,
  language,
  onSave,
}: {
  text: TranslatableText;
  language: string;
  onSave: (translation: string) => unknown;
}) {
  const say = useWords('builder').translations;
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<unknown>();
  const { part, original, translation } = text;
  const [group = ''] = part.split('.');
  const name = ['options', 'rows', 'columns'].includes(group) ? say.option : group === 'messages' ? say.message : say[part as 'label'];
  const isLong = original.length > 80 || original.includes('\n');
  const save = async () => {
    if (typed === undefined) return;
    try {
      if (typed !== translation) await onSave(typed);
      // Text that was typed meanwhile is not saved yet.
      setTyped((now) => (now === typed ? undefined : now));
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
  };
  return (
    <div className={style.row}>
      <div className={style.original}>
        <span className="muted">{name}</span>
        <span dir="auto" className={style.text}>
          {original}
        </span>
      </div>
      <div lang={language}>
        <TextField
          label={say.inLanguage(name, languageName(language), original)}
          isLabelHidden
          value={typed ?? translation}
          onChange={setTyped}
          onBlur={() => void save()}
          {...(isLong ? { isLong: true } : {})}
        />
      </div>
      <span className={style.missing}>
        {isUntranslated({ ...text, translation: typed ?? translation }) && <Badge tone="waiting">{say.isMissing}</Badge>}
      </span>
      {error !== undefined && (
        <div className={style.problem}>
          <Problem error={error} onRetry={() => void save()} />
        </div>
      )}
    </div>
  );
}
