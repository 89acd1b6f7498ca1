import { useState } from 'react';
import verifyPage from '../../../../docs/verify-webhooks.md?raw';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import { Select } from '../parts/fields';
import { Code } from '../parts/page';
import { useWords } from '../words/use-words';
import { recipesOf } from './recipes';
import style from './webhooks.module.css';

/** Code that verifies the signatures of this instance, in five languages. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const say = useWords('webhooks');
  const recipes = recipesOf(verifyPage, location.origin);
  const [language, setLanguage] = useState(recipes[0]?.language ?? '');
  const code = recipes.find((recipe) => recipe.language === language)?.code ?? '';
  const keys = `${location.origin}/.well-known/webhook-keys.json`;
  return (
    <Dialog title={say.verify} onClose={onClose} isWide isDismissable>
      <p>{say.verifyHelp}</p>
      <p className={style.copyLine}>
        <span>{say.keysAt}:</span>
        <a href={keys} target="_blank" rel="noreferrer">
          {keys}
        </a>
        <CopyButton text={keys} isIcon />
      </p>
      <div className={style.recipe}>
        <Select
          label={say.language}
          value={language}
          onChange={setLanguage}
          options={recipes.map((recipe) => ({ value: recipe.language, label: recipe.language }))}
        />
        <Code label={language}>{code}</Code>
        <CopyButton text={code} />
      </div>
    </Dialog>
  );
}
