import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TestDesk } from '../../support/desk/desk.ts'
import { describeInBrowser, newPage } from '../../support/pages/browser.ts'
import { Sandbox } from '../../support/sandbox.ts'
import { listening } from '../../support/servers/process.ts'
import { until } from '../../support/until.ts'

describeInBrowser('a browser that a desk has let in', () => {
  let box: Sandbox
  beforeAll(async () => {
    box = await Sandbox.on('SQLite')
    await box.json('team', 'create', 'acme', '--name', 'Acme')
    await box.json('product', 'create', 'acme/app', '--name', 'App')
  })
  afterAll(() => box.close())

  test.each(['localhost', '127.0.0.1'])('does nothing for a page on another port of %s', async (host) => {
    const child = box.start(['desk'])
    const page = await newPage(true)
    await page.goto(await listening(child))
    const home = page.url()
    const action = `${home}acme/app/new`
    const fields = {
      label: '6.6.6',
      title: '',
      date: '',
      text: '- Evil',
      opened: 'new',
      do: 'save',
      token: 'guessed',
    }
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)
    const asked: string[] = []
    using evil = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        asked.push(new URL(request.url).pathname)
        return new Response(
          `<!DOCTYPE html><form method="post" action="${action}" enctype="multipart/form-data">${inputs.join('')}</form><iframe src="${home}"></iframe>`,
          { headers: { 'content-type': 'text/html' } },
        )
      },
    })
    const there = `http://${host}:${evil.port}/`
    await page.goto(there)
    // A frame shows nothing of it.
    expect(
      await page.evaluate(`document.querySelector('iframe').contentDocument?.body.textContent ?? ''`),
    ).toBe('')
    // What a script there may read of it: nothing.
    const read = `fetch(${JSON.stringify(home)}, { credentials: 'include' }).then((found) => found.text(), () => 'refused')`
    expect(await page.evaluate(read)).toBe('refused')
    const write = `fetch(${JSON.stringify(action)}, { method: 'POST', credentials: 'include', mode: 'no-cors',
      body: new URLSearchParams(${JSON.stringify(fields)}) }).then(({ type }) => type)`
    expect(await page.evaluate(write)).toBe('opaque')
    await Promise.all([page.waitForNavigation(), page.evaluate('document.forms[0].submit()')])
    expect(page.url()).toBe(action)
    expect(await page.$eval('body', (body) => body.textContent)).not.toContain('Save draft')
    expect(await box.json<unknown[]>('version', 'list', 'acme/app')).toEqual([])
    // The desk still knows its own.
    await page.goto(home)
    expect(await page.$eval('h1', (heading) => heading.textContent)).toBe('Desk')
    await until(() => asked.includes('/'))
    await page.close()
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
  })

  test('is known to its desk alone, and a stolen address lets nobody in', async () => {
    const child = box.start(['desk'])
    const address = await listening(child)
    const other = await TestDesk.start(box)
    const page = await newPage(true)
    await page.goto(address)
    const home = new URL(page.url())
    const thief = await newPage(true)
    const status = async (url: string) => (await thief.goto(url))?.status()
    expect(await status(address)).toBe(401)
    expect(await status(home.href)).toBe(401)
    expect((await page.goto(other.origin + home.pathname))?.status()).toBe(401)
    expect((await page.goto(home.href))?.status()).toBe(200)
    await thief.close()
    await page.close()
    child.kill('SIGINT')
    expect(await child.exited).toBe(0)
    expect(await other.stop()).toBe(0)
  })
})
