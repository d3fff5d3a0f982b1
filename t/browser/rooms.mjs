// Several rooms: unread marks, order of the sidebar, visits without loading
// anew, two tabs of one person.

import {
  check, connected, message, person, run, shot, url, write,
} from './browser.mjs';

async function signIn(one) {
  await one.page.goto(`${url}/session/new`);
  await one.page.getByPlaceholder('Enter your email address')
    .fill(`${one.name}@example.com`);
  await one.page.getByPlaceholder('Enter your password').fill('secret123456');
  await one.page.getByRole('button', { name: 'Go' }).click();
  await one.page.waitForURL(/\/rooms\/\d+$/);
}

async function open(one, room) {
  await one.page.goto(`${url}/rooms/${room}`);
  await connected(one.page);
}

const line = (one, room) => one.page.locator(`#user_sidebar a[data-room-id="${room}"]`);
const unread = (one, room) => one.page.locator(
  `#user_sidebar a.unread[data-room-id="${room}"]`);

await run(async (browser) => {
  const ada = await person(browser, 'Ada');
  const bob = await person(browser, 'Bob');

  await signIn(ada);
  await signIn(bob);
  await open(ada, 1);
  await open(bob, 2);

  const names = await ada.page.locator('#shared_rooms .room')
    .allTextContents();
  check(names.map((name) => name.trim()).join() === 'All Talk,alpha,Beta',
        'shared rooms stand by their names', names.join());
  check(await line(ada, 3).count() === 1, 'a ping stands above them');

  await write(bob.page, 'Over here');
  await unread(ada, 2).waitFor();
  check(true, 'a message in another room marks it unread');
  check(await unread(bob, 2).count() === 0, 'not for who wrote it there');
  await shot(ada.page, '10-unread');

  // a visit by Turbo: the page stays, the sidebar stays

  await ada.page.evaluate(() => { window.stayed = true; });
  await line(ada, 2).click();
  await ada.page.waitForURL(/\/rooms\/2$/);
  await message(ada.page, 'Over here').waitFor();
  await connected(ada.page);
  check(await ada.page.evaluate(() => window.stayed === true),
        'another room opens without loading everything again');
  await unread(ada, 2).waitFor({ state: 'detached' });
  check(true, 'opening it takes the mark away');

  await write(ada.page, 'Seen it');
  await message(bob.page, 'Seen it').waitFor();
  check(true, 'and the room is live');
  check(await unread(bob, 2).count() === 0,
        'what is looked at is never unread');

  // the ping

  await open(bob, 3);
  await write(bob.page, 'Just us');
  await unread(ada, 3).waitFor();
  check(true, 'a ping is marked, too');

  // two tabs: reading in one is reading in both

  const second = await ada.context.newPage();
  await second.goto(`${url}/rooms/3`);
  await connected(second);
  await message(second, 'Just us').waitFor();
  await unread(ada, 3).waitFor({ state: 'detached' });
  check(true, 'read in one tab is read in the other');
  await second.close();

  // back by the browser's button

  await line(ada, 1).click();
  await ada.page.waitForURL(/\/rooms\/1$/);
  await connected(ada.page);
  await ada.page.goBack();
  await ada.page.waitForURL(/\/rooms\/2$/);
  await connected(ada.page);
  await write(bob.page, 'Still there?');
  await unread(ada, 3).waitFor();
  check(true, 'after going back everything is live');

  // hostile content stays content

  await open(bob, 1);
  await bob.page.evaluate(() => {
    document.querySelector('#message_body').value
      = '<p>look <img src=x onerror="window.hacked=1"><b>here</b></p>';
  });
  await bob.page.waitForTimeout(300);
  await bob.page.getByRole('button', { name: 'Send Message' }).click();
  await message(bob.page, 'look').waitFor();
  await open(ada, 1);
  await message(ada.page, 'look').waitFor();
  check(!(await ada.page.evaluate(() => window.hacked))
        && !(await bob.page.evaluate(() => window.hacked)),
        'what is written never runs');

  // without scripts

  const plain = await person(browser, 'no scripts', {
    javaScriptEnabled: false, storageState: await ada.context.storageState(),
  });
  await plain.page.goto(`${url}/rooms/2`);
  check(await plain.page.getByText('Seen it').isVisible(),
        'without scripts messages can be read');
  await shot(plain.page, '11-no-scripts');

  for (const one of [ada, bob]) {
    check(one.complaints.length === 0, `no complaints of ${one.name}`,
          one.complaints.join('\n'));
  }
});
