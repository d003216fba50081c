// What the page of a game does while it is idle, so that the first jumps are as fast as those after them.

const REHEARSALS = 12;

/** Have all positions ready, and the code of the drawing compiled, without keeping anybody waiting for it. */
export function prepare(page) {
  const first = page.turn;
  let left = page.story.document.live ? 0 : REHEARSALS;
  const next = () => window.requestIdleCallback?.((idle) => {
    const { story } = page;
    if (story.prepare(() => idle.timeRemaining() > 4)) next();
    else if (left > 0 && page.turn === first && page.timer === null) {  // nobody has gone anywhere yet
      page.parts.board.rehearse(Math.round((story.last * left) / REHEARSALS));
      left -= 1;
      next();
    }
  });
  next();
}
