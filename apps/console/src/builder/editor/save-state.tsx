import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react';
import { Button } from '../../parts/button';
import { problemSentence } from '../../api/problem-sentence';
import { useLanguage, useWords } from '../../words/use-words';
import { ofWhole } from '../model/faults';
import { countOf } from '../saving/draft-editor';
import { useEditing } from './editing';
import style from './editor.module.css';

/** Whether everything is saved; if not, why, and what can be done. */
export function SaveState() {
  const say = useWords('builder').page;
  const language = useLanguage();
  const { form, editor, state, select } = useEditing();
  const { phase, error, faults } = state;
  if (phase === 'refused') {
    const [firstId] = faults.keys();
    const whole = faults.get(ofWhole)?.[0];
    return (
      <div className={style.state} role="status">
        <TriangleAlert size={16} aria-hidden className="fault" />
        <Button isSmall look="quiet" onPress={() => select(firstId === ofWhole ? 'payment' : firstId)}>
          {say.notSavedFaults(countOf(faults))}
        </Button>
        {whole && <span className="muted">{whole.message}</span>}
      </div>
    );
  }
  if (phase === 'failed' || phase === 'conflict') {
    const { title, mayPass } = problemSentence(error, language);
    return (
      <div className={style.state} role="status">
        <CloudOff size={16} aria-hidden className="fault" />
        <span title={phase === 'failed' ? title : undefined}>{phase === 'failed' && mayPass ? say.notSavedOffline : say.notSaved}</span>
        {phase === 'failed' && !mayPass && <span className="muted">{title}</span>}
        {phase === 'failed' && (
          <Button isSmall onPress={() => void editor.flush()}>
            {say.saveAgain}
          </Button>
        )}
      </div>
    );
  }
  const isSaved = phase === 'saved';
  const Icon = isSaved ? Check : LoaderCircle;
  return (
    <div className={style.state} role="status">
      <Icon size={16} aria-hidden />
      {isSaved ? (form.publish_mode === 'auto' ? say.savedAndPublished : say.saved) : say.saving}
    </div>
  );
}
