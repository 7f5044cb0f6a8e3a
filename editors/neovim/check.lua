-- Talks to the server as a user would, and ends with an error if something is not as expected.
local function fail(what)
  io.stderr:write("failed: " .. what .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, condition)
  if not vim.wait(30000, condition, 20) then
    fail(what)
  end
end

local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "tracehound", cmd = { vim.env.TRACEHOUND, "lsp" }, root_dir = vim.fn.getcwd() })
if not client then
  fail("the server starts")
end
vim.lsp.buf_attach_client(buffer, client)

local function messages()
  local found = {}
  for _, problem in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, problem.message)
  end
  return table.concat(found, "\n")
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 30000)
  local answer = answers and answers[client]
  if not answer or answer.err then
    fail(method .. " has an answer")
  end
  return answer.result
end

wait_for("a problem is shown", function() return messages():find("did you mean `coin`", 1, true) ~= nil end)
local problem = vim.diagnostic.get(buffer)[1]
if problem.lnum ~= 1 or problem.col ~= 8 then
  fail("the problem is at its place, not at " .. problem.lnum .. ":" .. problem.col)
end

local document = { uri = vim.uri_from_bufnr(buffer) }
local range = { start = { line = 1, character = 9 }, ["end"] = { line = 1, character = 9 } }
local actions = ask("textDocument/codeAction", { textDocument = document, range = range, context = { diagnostics = {} } })
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
wait_for("the fix mends it", function() return #vim.diagnostic.get(buffer) == 0 end)

local edits = ask("textDocument/formatting", { textDocument = document, options = { tabSize = 2, insertSpaces = true } })
vim.lsp.util.apply_text_edits(edits, buffer, "utf-16")
local line = vim.api.nvim_buf_get_lines(buffer, 1, 2, true)[1]
if line ~= "MACHINE = coin -> coffee -> MACHINE" then
  fail("the text is laid out, not " .. line)
end

local lenses = ask("textDocument/codeLens", { textDocument = document })
ask("workspace/executeCommand", { command = lenses[1].command.command, arguments = lenses[1].command.arguments })
wait_for("the verdict is shown", function() return messages():find("holds", 1, true) ~= nil end)
lenses = ask("textDocument/codeLens", { textDocument = document })
if not lenses[1].command.title:find("✓ holds", 1, true) then
  fail("the lens shows the verdict, not " .. lenses[1].command.title)
end

local hover = ask("textDocument/hover", { textDocument = document, position = { line = 1, character = 1 } })
if not hover.contents.value:find("MACHINE :: Proc", 1, true) then
  fail("hover tells a type, not " .. hover.contents.value)
end
print("Neovim got along with the server\n")
vim.lsp.stop_client(client)
vim.cmd("qall!")
