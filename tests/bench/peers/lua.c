/* SPDX-License-Identifier: MIT */
/*
 * The Lua peer, built twice: with Lua 5.4 and with LuaJIT. The scheduler is a loop in Lua over
 * arrays of coroutines. Cancelling closes a coroutine that has a variable to close; LuaJIT, which
 * has none, resumes it with an error that a pcall in the body meets.
 */
#include "bench.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdlib.h>

#ifdef LUAJIT
#define NAME "LuaJIT"
#define BODY                                                                                       \
    "local function guarded()\n"                                                                   \
    "  pcall(function() if yield() then error('cancelled', 0) end end)\n"                          \
    "  cleaned = cleaned + 1\n"                                                                    \
    "end\n"                                                                                        \
    "local function cancel(c) resume(c, true) end\n"
#else
#define NAME "Lua 5.4"
#define BODY                                                                                       \
    "local guard = setmetatable({}, {__close = function() cleaned = cleaned + 1 end})\n"           \
    "local function guarded() local g <close> = guard; yield() end\n"                              \
    "local cancel = coroutine.close\n"
#endif

static const char program[] =
    "local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield\n"
    "cleaned, resumed, ended = 0, 0, 0\n" BODY "local crowd = {}\n"
    "local function counter() while true do resumed = resumed + 1; yield() end end\n"
    "local function deep(n) if n > 1 then deep(n - 1) return nil end counter() end\n"
    "local function once(k) for _ = 1, k do yield() end ended = ended + 1 end\n"
    "local function chain(n)\n"
    "  if n > 1 then chain(n - 1) return nil end\n"
    "  resumed = resumed + 1; yield()\n"
    "end\n"
    "local function chains(n) while true do chain(n) end end\n"
    "local function sync(n) if n > 1 then return 1 + sync(n - 1) end return 1 end\n"
    "local function start(n, body, ...)\n"
    "  for i = 1, n do local c = create(body); crowd[i] = c; resume(c, ...) end\n"
    "end\n"
    "local function leaf(a) return a end\n"
    "local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end\n"
    "function counters(n) start(n, counter) end\n"
    "function deeps(n, calls) start(n, deep, calls) end\n"
    "function ticks(n, rounds)\n"
    "  for _ = 1, rounds do for i = 1, n do resume(crowd[i]) end end\n"
    "end\n"
    "function chains_start(n, calls) start(n, chains, calls) end\n"
    "function lifecycle(n, k) start(n, once, k); ticks(n, k) end\n"
    "function syncs(n, calls) local s = 0; for _ = 1, n do s = s + sync(calls) end resumed = s "
    "end\n"
    "function guardeds(n) start(n, guarded) end\n"
    "function cancels(n) for i = n, 1, -1 do cancel(crowd[i]) end end\n"
    "function forget() crowd = {}; collectgarbage() end\n"
    "function calls(n) local s = 0; for i = 1, n do s = s + leaf(i) end resumed = s end\n"
    "function fibonacci(n) resumed = fib(n) end\n";

static lua_State *begin(bench_run *run)
{
    lua_State *lua = luaL_newstate();
    bench_require(lua != NULL, "no memory for Lua");
    luaL_openlibs(lua);
    bench_require(luaL_dostring(lua, program) == 0, "the Lua program does not load");
    run->state = lua;
    return lua;
}

static void lua_end(bench_run *run)
{
    lua_close(run->state);
}

static void call(lua_State *lua, const char *function, uint32_t a, uint32_t b)
{
    lua_getglobal(lua, function);
    lua_pushinteger(lua, (lua_Integer)a);
    lua_pushinteger(lua, (lua_Integer)b);
    bench_require(lua_pcall(lua, 2, 0, 0) == 0, "a Lua function failed");
}

static uint64_t global(lua_State *lua, const char *name)
{
    lua_getglobal(lua, name);
    uint64_t value = (uint64_t)lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    return value;
}

static void timed_call(bench_run *run, const char *function, uint32_t a, uint32_t b)
{
    bench_start(run);
    call(run->state, function, a, b);
    bench_stop(run);
}

static void lua_begin(bench_run *run)
{
    (void)begin(run);
}

static void resume_begin(bench_run *run)
{
    call(begin(run), "counters", run->n, 0);
}

static void deep_begin(bench_run *run)
{
    call(begin(run), "deeps", BENCH_DEEP_FLOWS, run->n);
}

static void ticks(bench_run *run, uint32_t flows)
{
    uint32_t rounds = bench_rounds(flows);
    uint64_t before = global(run->state, "resumed");
    timed_call(run, "ticks", flows, rounds);
    run->items = flows * rounds;
    bench_require(global(run->state, "resumed") - before == run->items, "not all were resumed");
}

static void resume_batch(bench_run *run)
{
    ticks(run, run->n);
}

static void deep_batch(bench_run *run)
{
    ticks(run, BENCH_DEEP_FLOWS);
}

static void lifecycle(bench_run *run, uint32_t suspensions)
{
    uint64_t before = global(run->state, "ended");
    timed_call(run, "lifecycle", run->n, suspensions);
    bench_require(global(run->state, "ended") - before == run->n, "a coroutine did not end");
    call(run->state, "forget", 0, 0);
}

static void lifecycle_1_batch(bench_run *run)
{
    lifecycle(run, 1);
}

static void lifecycle_4_batch(bench_run *run)
{
    lifecycle(run, 4);
}

static void loops_16_batch(bench_run *run)
{
    lifecycle(run, 16);
    run->items = run->n * 16;
}

static void chain_begin(bench_run *run)
{
    call(begin(run), "chains_start", BENCH_DEEP_FLOWS, run->n);
}

static void sync_chain_batch(bench_run *run)
{
    run->items = bench_rounds(run->n);
    timed_call(run, "syncs", run->items, run->n);
    bench_require(global(run->state, "resumed") == (uint64_t)run->items * run->n,
                  "a call is missing");
}

static void cancel_batch(bench_run *run)
{
    uint64_t before = global(run->state, "cleaned");
    call(run->state, "guardeds", run->n, 0);
    timed_call(run, "cancels", run->n, 0);
    bench_require(global(run->state, "cleaned") - before == run->n, "a cleanup did not run");
    call(run->state, "forget", 0, 0);
}

static void call_batch(bench_run *run)
{
    run->items = BENCH_CALLS;
    timed_call(run, "calls", run->items, 0);
    bench_require(global(run->state, "resumed") == (uint64_t)run->items * (run->items + 1) / 2,
                  "a call is missing");
}

static void fibonacci_batch(bench_run *run)
{
    timed_call(run, "fibonacci", run->n, 0);
    run->items = 1;
    bench_require(global(run->state, "resumed") == BENCH_FIBONACCI_20, "the wrong number");
}

static const bench_case cases[] = {
    {"scale", "resume_one", NAME, 128, resume_begin, resume_batch, lua_end},
    {"scale", "resume_one", NAME, 4096, resume_begin, resume_batch, lua_end},
    {"scale", "resume_one", NAME, 100000, resume_begin, resume_batch, lua_end},
    {"onity", "lifecycle_1", NAME, 4096, lua_begin, lifecycle_1_batch, lua_end},
    {"flowtask", "resume_deep", NAME, 1, deep_begin, deep_batch, lua_end},
    {"flowtask", "resume_deep", NAME, 10, deep_begin, deep_batch, lua_end},
    {"flowtask", "resume_deep", NAME, 100, deep_begin, deep_batch, lua_end},
    {"flowtask", "cancel", NAME, 100, lua_begin, cancel_batch, lua_end},
    {"flowtask", "cancel", NAME, 500, lua_begin, cancel_batch, lua_end},
    {"flowtask", "cancel", NAME, 4096, lua_begin, cancel_batch, lua_end},
    {"runtime_async", "call", NAME, 1, lua_begin, call_batch, lua_end},
    {"runtime_async", "fibonacci", NAME, 20, lua_begin, fibonacci_batch, lua_end},
    {"onity", "lifecycle_4", NAME, 4096, lua_begin, lifecycle_4_batch, lua_end},
    {"onity", "loops_16", NAME, 1024, lua_begin, loops_16_batch, lua_end},
    {"onity", "loops_16", NAME, 4096, lua_begin, loops_16_batch, lua_end},
    {"flowtask", "sync_chain", NAME, 1, lua_begin, sync_chain_batch, lua_end},
    {"flowtask", "sync_chain", NAME, 10, lua_begin, sync_chain_batch, lua_end},
    {"flowtask", "sync_chain", NAME, 100, lua_begin, sync_chain_batch, lua_end},
    {"runtime_async", "yield", NAME, 1, deep_begin, deep_batch, lua_end},
    {"runtime_async", "chain", NAME, 1, chain_begin, deep_batch, lua_end},
    {"runtime_async", "chain", NAME, 10, chain_begin, deep_batch, lua_end},
    {"runtime_async", "chain", NAME, 100, chain_begin, deep_batch, lua_end},
    {"slimtask", "use", NAME, 1, lua_begin, call_batch, lua_end},
};

BENCH_PEER(cases)
