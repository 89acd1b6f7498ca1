import { problemSentence } from '../api/problem-sentence';
import { noticeEndedSession } from '../api/query-client';
import { useLanguage } from '../words/use-words';
import { toast } from './toasts';

/** Runs what a press does at once, without a dialog; its error is told at the edge of the screen. */
export function useAttempt(): (act: () => Promise<unknown>) => void {
  const language = useLanguage();
  return (act) => {
    act().catch((error: unknown) => {
      noticeEndedSession(error);
      toast({ text: problemSentence(error, language).title });
    });
  };
}
