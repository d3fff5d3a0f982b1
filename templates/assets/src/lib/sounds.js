const SOUNDS = new Set(`
  56k ballmer bell bezos bueller butts clowntown cottoneyejoe crickets curb
  dadgummit dangerzone danielsan deeper donotwant drama flawless glados gogogo
  greatjob greyjoy guarantee heygirl honk horn horror inconceivable letitgo live
  loggins makeitso noooo nyan ohmy ohyeah pushit rimshot rollout rumble sax
  secret sexyback story tada tmyk totes trololo trombone unix vuvuzela what
  whoomp wups yay yeah yodel
`.trim().split(/\s+/));

// The sound a text asks for, or null.
export function soundIn(text) {
  const name = /^\/play (\w+)$/.exec(text.trim())?.[1];
  return name && SOUNDS.has(name) ? name : null;
}
