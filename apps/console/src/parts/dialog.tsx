import { X } from 'lucide-react';
import { useState, type SubmitEvent, type ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { noticeEndedSession } from '../api/query-client';
import { useWords } from '../words/use-words';
import { Button, IconButton, type ButtonLook } from './button';
import { classes } from './classes';
import { TextField } from './text-field';
import style from './overlay.module.css';
import { Problem } from './problem';

interface DialogProps {
  title: string;
  onClose: () => void;
  isWide?: boolean;
  /** Whether a click outside closes it; not for dialogs in which something is typed. */
  isDismissable?: boolean;
  /** Interrupts, and must be answered. */
  role?: 'dialog' | 'alertdialog';
  children: ReactNode;
  /** Its buttons. */
  footer?: ReactNode;
}

/** A dialog over the page for as long as it is rendered. Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, isWide, isDismissable = false, role = 'dialog', children, footer }: DialogProps) {
  const say = useWords('everywhere').parts;
  return (
    <ModalOverlay isOpen onOpenChange={(open) => !open && onClose()} isDismissable={isDismissable} className={style.scrim ?? ''}>
      <Modal className={classes(style.modal, isWide && style.wide)}>
        <AriaDialog role={role} className={style.dialog ?? ''}>
          <div className={style.dialogHead}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <IconButton icon={X} label={say.close} isSmall onPress={onClose} />
          </div>
          {children}
          {footer !== undefined && <div className={style.dialogFoot}>{footer}</div>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface FormDialogProps extends Omit<DialogProps, 'footer' | 'isDismissable' | 'role'> {
  submitLabel: string;
  look?: ButtonLook;
  /** Rejects with the error to show. The dialog closes when it resolves. */
  onSubmit: () => Promise<unknown>;
  /** Whether the button is off. Prefer to say what is missing once it is pressed. */
  isIncomplete?: boolean;
  /** Takes the form's place once it is given, such as a key that is shown this once; the person closes the dialog when they have it. */
  result?: ReactNode;
  /** Whether the dialog stays open once it was sent: for a `result`, or because `onSubmit` closes it. */
  staysOpen?: boolean;
}

/** A dialog with a form in it: Enter sends it, its error is shown in it, and nothing that was typed is lost. */
export function FormDialog({
  submitLabel,
  look = 'primary',
  onSubmit,
  isIncomplete,
  result,
  staysOpen,
  children,
  ...dialog
}: FormDialogProps) {
  const say = useWords('everywhere').parts;
  const [error, setError] = useState<unknown>();
  const [isPending, setIsPending] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isPending || isIncomplete === true) return;
    setIsPending(true);
    setError(undefined);
    try {
      await onSubmit();
      if (staysOpen !== true) dialog.onClose();
    } catch (thrown) {
      noticeEndedSession(thrown);
      setError(thrown);
    } finally {
      setIsPending(false);
    }
  };
  if (result !== undefined)
    return (
      <Dialog
        {...dialog}
        footer={
          <Button look="primary" onPress={dialog.onClose} autoFocus>
            {say.done}
          </Button>
        }
      >
        {result}
      </Dialog>
    );
  return (
    <Dialog {...dialog}>
      <form onSubmit={(event) => void send(event)} className={style.formOfDialog} noValidate>
        {children}
        {error !== undefined && <Problem error={error} />}
        <div className={style.dialogFoot}>
          <Button onPress={dialog.onClose}>{say.cancel}</Button>
          <Button type="submit" look={look} isPending={isPending} isDisabled={isIncomplete === true}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before what cannot be undone. With `typeToConfirm`, the person has to type that name. */
export function ConfirmDialog({
  typeToConfirm,
  children,
  ...props
}: Omit<FormDialogProps, 'isIncomplete'> & { typeToConfirm?: string | undefined }) {
  const say = useWords('everywhere').parts;
  const [typed, setTyped] = useState('');
  return (
    <FormDialog look="danger" {...props} isIncomplete={typeToConfirm !== undefined && typed.trim() !== typeToConfirm.trim()}>
      <div>{children}</div>
      {typeToConfirm !== undefined && (
        <TextField label={say.typeToConfirm(typeToConfirm)} value={typed} onChange={setTyped} autoComplete="off" />
      )}
    </FormDialog>
  );
}
