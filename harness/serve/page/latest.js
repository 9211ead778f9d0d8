// Runs one task at a time. Of the tasks that come meanwhile, it runs only the last.

export function latest(task) {
  let running = false;
  let next = null;
  return async function run(...words) {
    if (running) {
      next = words;
      return;
    }
    running = true;
    try {
      await task(...words);
    } finally {
      running = false;
      if (next) {
        const [...again] = next;
        next = null;
        run(...again);
      }
    }
  };
}
