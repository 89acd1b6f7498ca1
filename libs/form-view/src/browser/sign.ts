// Lets people draw their signature. Without it, they type their name.

interface Point {
  x: number;
  y: number;
}

const ink = '#111';

for (const pad of document.querySelectorAll<HTMLElement>('.pad')) offer(pad);

function offer(pad: HTMLElement): void {
  const canvas = pad.querySelector('canvas');
  const input = pad.querySelector('input');
  const [undo, clear] = pad.querySelectorAll('button');
  const name = pad.closest('fieldset')?.querySelector<HTMLInputElement>('[type=text]');
  const pen = canvas?.getContext('2d');
  if (!canvas || !input || !undo || !clear || !name || !pen) return;
  const strokes: Point[][] = [];
  let stroke: Point[] | undefined;
  /** The finger or pen that draws it: a hand that rests on the pad is another one. */
  let pointer: number | undefined;
  /** The pixels of the picture for one of the page. */
  let scale = 1;

  /** The last piece of a stroke: a curve from one middle between two points to the next, so that it has no corners. */
  const extend = (points: readonly Point[]) => {
    const [before, from, to] = [points.at(-3), points.at(-2), points.at(-1)];
    if (!to) return;
    const start = before && from ? middle(before, from) : (from ?? to);
    const end = from ? middle(from, to) : to;
    pen.beginPath();
    pen.moveTo(start.x, start.y);
    pen.quadraticCurveTo((from ?? to).x, (from ?? to).y, end.x, end.y);
    pen.stroke();
  };
  /** Dark on white, as it is kept, whatever the colours of the page are. */
  const redraw = () => {
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    for (const points of strokes) points.forEach((_, at) => extend(points.slice(Math.max(at - 2, 0), at + 1)));
  };
  /** Puts the picture into the control; at once, as the page may be sent next. A drawing takes the place of a name. */
  const keep = () => {
    const files = new DataTransfer();
    if (strokes.length > 0) files.items.add(new File([bytesOf(canvas)], 'signature.png', { type: 'image/png' }));
    input.files = files.files;
    undo.disabled = clear.disabled = strokes.length === 0;
    name.disabled = strokes.length > 0;
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  };
  const at = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width } = canvas.getBoundingClientRect();
    scale = canvas.width / width;
    return { x: (clientX - left) * scale, y: (clientY - top) * scale };
  };

  canvas.addEventListener('pointerdown', (event) => {
    if (stroke || event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    pointer = event.pointerId;
    stroke = [at(event)];
    strokes.push(stroke);
    pen.lineWidth = 2.5 * scale;
    extend(stroke);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!stroke || event.pointerId !== pointer) return;
    // Browsers report several moves of a pen together; not all of them tell which.
    const moves = 'getCoalescedEvents' in event ? event.getCoalescedEvents() : [];
    for (const move of moves.length > 0 ? moves : [event]) {
      stroke.push(at(move));
      extend(stroke);
    }
  });
  const end = (event: PointerEvent) => {
    if (!stroke || event.pointerId !== pointer) return;
    stroke = undefined;
    keep();
  };
  for (const type of ['pointerup', 'pointercancel'] as const) canvas.addEventListener(type, end);
  const takeBack = (count: number) => {
    strokes.splice(-count);
    redraw();
    keep();
    // The button that had the focus may be off now.
    if (strokes.length === 0) name.focus({ preventScroll: true });
  };
  undo.addEventListener('click', () => takeBack(1));
  clear.addEventListener('click', () => takeBack(strokes.length));

  // Some browsers give back other pixels than were drawn, against tracking: a picture of those is no signature.
  pen.fillStyle = ink;
  pen.fillRect(0, 0, 9, 9);
  if (pen.getImageData(0, 0, 9, 9).data.some((shade, index) => index % 4 < 3 && shade > 64)) return;
  // A browser that opens the page again may restore what a drawing did to the controls, but not the drawing.
  undo.disabled = clear.disabled = true;
  name.disabled = false;
  input.value = '';
  pen.strokeStyle = ink;
  pen.lineCap = pen.lineJoin = 'round';
  redraw();
  pad.hidden = false;
}

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

function bytesOf(canvas: HTMLCanvasElement): Uint8Array<ArrayBuffer> {
  const [, base64 = ''] = canvas.toDataURL('image/png').split(',');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
