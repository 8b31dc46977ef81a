/* SPDX-License-Identifier: MIT */
/*
 * The C++20 peer: coroutines as their best users write them. Frames come from a pool by size, the
 * ready queue is a pair of vectors, a callee is entered and left by symmetric transfer. No handles,
 * no owners, no cancellation: what waits is reached by destroy() alone.
 */
#include "bench.h"

#include <array>
#include <coroutine>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <utility>
#include <vector>

namespace {

/* ---- frames ---- */

/* Free lists by size, filled from chunks, so that frames that are made together lie together. */
class frame_pool {
  public:
    static void *take(std::size_t size)
    {
        std::size_t kind = (size + 15) / 16;
        if (kind < free_.size() && free_[kind] != nullptr) [[likely]] {
            block *b = free_[kind];
            free_[kind] = b->next;
            return b;
        }
        return take_new(kind);
    }

    static void give(void *memory, std::size_t size)
    {
        std::size_t kind = (size + 15) / 16;
        if (kind >= free_.size()) [[unlikely]] {
            std::free(memory);
            return;
        }
        block *b = static_cast<block *>(memory);
        b->next = free_[kind];
        free_[kind] = b;
    }

    /* Begins anew, with no frame in use: one scenario's order of frames is none of the next's. */
    static void reset()
    {
        free_.fill(nullptr);
        for (void *chunk : chunks_) {
            std::free(chunk);
        }
        chunks_.clear();
        at_ = end_ = nullptr;
    }

  private:
    struct block {
        block *next;
    };
    static constexpr std::size_t chunk_size = 65536;

    __attribute__((noinline, cold)) static void *take_new(std::size_t kind)
    {
        if (kind >= free_.size()) {
            return std::malloc(kind * 16);
        }
        if (std::size_t(end_ - at_) < kind * 16) {
            at_ = static_cast<char *>(std::aligned_alloc(64, chunk_size));
            end_ = at_ + chunk_size;
            chunks_.push_back(at_);
        }
        return std::exchange(at_, at_ + kind * 16);
    }

    static inline std::array<block *, 64> free_{};
    static inline std::vector<void *> chunks_;
    static inline char *at_ = nullptr, *end_ = nullptr;
};

struct pooled {
    static void *operator new(std::size_t size) { return frame_pool::take(size); }
    static void operator delete(void *memory, std::size_t size) { frame_pool::give(memory, size); }
};

/* ---- the queue ---- */

/* Vectors that are used as arrays: growing is out of the way, so that a push is a compare and a
 * store, and what awaits it needs no registers saved. */
class ready_queue {
  public:
    void push(std::coroutine_handle<> h)
    {
        if (count_ == next_.size()) [[unlikely]] {
            grow();
        }
        next_[count_++] = h;
    }

    /* Resumes what was waiting when it was called. */
    void tick()
    {
        std::swap(next_, now_);
        std::size_t count = std::exchange(count_, 0);
        for (std::size_t i = 0; i < count; i++) {
            now_[i].resume();
        }
    }

    /* Ends what waits, where that is no callee. */
    void destroy()
    {
        for (std::size_t i = 0; i < count_; i++) {
            next_[i].destroy();
        }
        count_ = 0;
    }

    void forget() { count_ = 0; }

    /* Gives both arrays room for exactly so many. */
    void reserve(std::size_t n)
    {
        next_ = std::vector<std::coroutine_handle<>>(n);
        now_ = std::vector<std::coroutine_handle<>>(n);
    }

  private:
    __attribute__((noinline, cold)) void grow() { next_.resize(2 * next_.size() + 64); }

    std::vector<std::coroutine_handle<>> next_, now_;
    std::size_t count_ = 0;
};

ready_queue queue;

struct next_tick {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> h) const { queue.push(h); }
    void await_resume() const noexcept {}
};

void fresh_begin(bench_run *)
{
    frame_pool::reset();
}

/* ---- a root that ends by itself, and one that is held and destroyed ---- */

struct root {
    struct promise_type : pooled {
        root get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

struct held {
    struct promise_type : pooled {
        held get_return_object() noexcept
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
    std::coroutine_handle<> handle;
};

/* ---- a lazy task with a value ---- */

class task {
  public:
    struct promise_type : pooled {
        std::coroutine_handle<> caller;
        std::uint64_t value = 0;

        struct leave {
            bool await_ready() const noexcept { return false; }
            std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> h) noexcept
            {
                return h.promise().caller;
            }
            void await_resume() const noexcept {}
        };

        task get_return_object() noexcept
        {
            return task{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept { return {}; }
        leave final_suspend() noexcept { return {}; }
        void return_value(std::uint64_t v) noexcept { value = v; }
        void unhandled_exception() noexcept { std::terminate(); }
    };

    explicit task(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}
    task(task &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    task(const task &) = delete;
    task &operator=(const task &) = delete;
    ~task()
    {
        if (handle_) {
            handle_.destroy();
        }
    }

    bool await_ready() const noexcept { return false; }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept
    {
        handle_.promise().caller = caller;
        return handle_;
    }
    std::uint64_t await_resume() const noexcept { return handle_.promise().value; }

  private:
    std::coroutine_handle<promise_type> handle_;
};

/* ---- a source with one waiter: a signal, or a completion ---- */

struct source {
    std::coroutine_handle<> waiter;
    std::uint64_t value = 0;
    bool set = false;

    struct wait {
        source &s;
        bool await_ready() const noexcept { return s.set; }
        void await_suspend(std::coroutine_handle<> h) noexcept { s.waiter = h; }
        std::uint64_t await_resume() const noexcept { return s.value; }
    };
    wait next() noexcept { return {*this}; }

    void emit(std::uint64_t v)
    {
        value = v;
        queue.push(std::exchange(waiter, nullptr));
    }
};

/* ---- the same with any number of waiters ---- */

struct broadcast {
    std::vector<std::coroutine_handle<>> waiters;
    std::uint64_t value = 0;

    struct wait {
        broadcast &b;
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> h) { b.waiters.push_back(h); }
        std::uint64_t await_resume() const noexcept { return b.value; }
    };
    wait next() noexcept { return {*this}; }

    void emit(std::uint64_t v)
    {
        value = v;
        for (std::coroutine_handle<> h : waiters) {
            queue.push(h);
        }
        waiters.clear();
    }
};

/* ---- resume ---- */

/* Counted in the frame, as the others count, and looked at when the frame ends. */
std::uint64_t counted, expected;

struct counter {
    std::uint64_t count = 0;
    ~counter() { counted += count; }
};

root counting(std::uint64_t state)
{
    counter c;
    for (;;) {
        c.count++;
        co_await next_tick{};
    }
    bench_use(state);
}

void resume_begin(bench_run *run)
{
    frame_pool::reset();
    counted = 0;
    expected = run->n;
    std::uint64_t before = bench_allocated_bytes();
    queue.reserve(run->n);
    for (std::uint32_t i = 0; i < run->n; i++) {
        counting(i);
    }
    if (run->n >= 4096) { /* fewer stay within a chunk */
        run->bytes = double(bench_allocated_bytes() - before) / run->n;
    }
}

void ticks(bench_run *run, std::uint32_t flows)
{
    std::uint32_t rounds = bench_rounds(flows);
    bench_start(run);
    for (std::uint32_t i = 0; i < rounds; i++) {
        queue.tick();
    }
    bench_stop(run);
    run->items = rounds * flows;
    expected += run->items;
}

void resume_batch(bench_run *run)
{
    ticks(run, run->n);
}

void resume_end(bench_run *)
{
    queue.destroy();
    bench_require(counted == expected, "not all were resumed");
}

void uncounted_end(bench_run *)
{
    queue.destroy();
}

void shuffled_begin(bench_run *run)
{
    frame_pool::reset();
    /* Frames are made in order, and queued in a shuffled one. */
    static std::vector<std::coroutine_handle<>> handles;
    struct capture {
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> h) const { handles.push_back(h); }
        void await_resume() const noexcept {}
    };
    struct body {
        static root make()
        {
            counter c;
            co_await capture{};
            for (;;) {
                c.count++;
                co_await next_tick{};
            }
        }
    };
    std::vector<std::uint32_t> order(run->n);
    bench_shuffle(order.data(), run->n);
    counted = 0;
    expected = run->n;
    handles.clear();
    handles.reserve(run->n);
    for (std::uint32_t i = 0; i < run->n; i++) {
        body::make();
    }
    for (std::uint32_t i : order) {
        handles[i].resume();
    }
    std::vector<std::coroutine_handle<>>().swap(handles);
}

#define KIND(name, work)                                                                           \
    root name(std::uint64_t a, std::uint64_t b)                                                    \
    {                                                                                              \
        for (;;) {                                                                                 \
            work;                                                                                  \
            co_await next_tick{};                                                                  \
        }                                                                                          \
        bench_use(a + b);                                                                          \
    }
KIND(kind0, a += 1)
KIND(kind1, a ^= b)
KIND(kind2, a += b++)
KIND(kind3, b = a * 3 + 1)
KIND(kind4, a = a << 1 | a >> 63)
KIND(kind5, a -= b ^ 7)
KIND(kind6, a += a >> 3)
KIND(kind7, b += a & 15)

void mixed_begin(bench_run *run)
{
    frame_pool::reset();
    static constexpr std::array kinds = {kind0, kind1, kind2, kind3, kind4, kind5, kind6, kind7};
    std::vector<std::uint32_t> order(run->n);
    bench_shuffle(order.data(), run->n);
    for (std::uint32_t i : order) {
        kinds[i % 8](i, 1);
    }
}

/* ---- calls ---- */

enum { DEEP = BENCH_DEEP_FLOWS };

task deep(std::uint32_t calls)
{
    if (calls > 1) {
        co_return co_await deep(calls - 1);
    }
    counter c;
    for (;;) {
        c.count++;
        co_await next_tick{};
    }
}

held deep_root(std::uint32_t calls)
{
    bench_use(co_await deep(calls));
}

/* Where callees wait, their roots are destroyed. */
std::vector<std::coroutine_handle<>> roots;

void roots_end(bench_run *)
{
    for (std::coroutine_handle<> h : roots) {
        h.destroy();
    }
    roots.clear();
    queue.forget();
}

void deep_begin(bench_run *run)
{
    frame_pool::reset();
    counted = 0;
    expected = DEEP;
    for (int i = 0; i < DEEP; i++) {
        roots.push_back(deep_root(run->n).handle);
    }
}

void deep_batch(bench_run *run)
{
    ticks(run, DEEP);
}

void deep_end(bench_run *run)
{
    roots_end(run);
    bench_require(counted == expected, "not all were resumed");
}

task chain(std::uint32_t calls)
{
    if (calls > 1) {
        co_return co_await chain(calls - 1);
    }
    co_await next_tick{};
    co_return 1;
}

held chains(std::uint32_t calls)
{
    counter c;
    for (;;) {
        c.count += co_await chain(calls);
    }
}

void chain_begin(bench_run *run)
{
    frame_pool::reset();
    counted = expected = 0;
    for (int i = 0; i < DEEP; i++) {
        roots.push_back(chains(run->n).handle);
    }
}

/* A chain of calls in which nobody waits. */
task sync_chain(std::uint32_t calls)
{
    if (calls > 1) {
        co_return 1 + co_await sync_chain(calls - 1);
    }
    co_return 1;
}

root sync_chains(std::uint32_t rounds, std::uint32_t calls, std::uint64_t *sum)
{
    for (std::uint32_t i = 0; i < rounds; i++) {
        *sum += co_await sync_chain(calls);
    }
}

void sync_chain_batch(bench_run *run)
{
    std::uint64_t sum = 0;
    run->items = bench_rounds(run->n);
    bench_start(run);
    sync_chains(run->items, run->n, &sum);
    bench_stop(run);
    bench_require(sum == std::uint64_t(run->items) * run->n, "a call is missing");
}

BENCH_APART task leaf(std::uint64_t a)
{
    co_return a;
}

root caller(std::uint32_t rounds, std::uint64_t *sum)
{
    for (std::uint32_t i = 0; i < rounds; i++) {
        *sum += co_await leaf(i);
    }
}

void call_batch(bench_run *run)
{
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    caller(run->items, &sum);
    bench_stop(run);
    bench_require(sum == std::uint64_t(run->items) * (run->items - 1) / 2, "a call is missing");
}

/* Suspends once in a hundred. */
task compute(std::uint64_t a)
{
    if (a % 100 == 0) {
        co_await next_tick{};
    }
    co_return a;
}

root computer(std::uint32_t rounds, std::uint64_t *sum)
{
    for (std::uint32_t i = 0; i < rounds; i++) {
        *sum += co_await compute(i);
    }
}

void compute_batch(bench_run *run)
{
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    computer(run->items, &sum);
    for (std::uint32_t i = 0; i < run->items; i += 100) {
        queue.tick();
    }
    bench_stop(run);
    bench_require(sum == std::uint64_t(run->items) * (run->items - 1) / 2, "a call is missing");
}

task fibonacci(std::uint64_t n)
{
    if (n < 2) {
        co_return n;
    }
    std::uint64_t a = co_await fibonacci(n - 1);
    std::uint64_t b = co_await fibonacci(n - 2);
    co_return a + b;
}

root fibonacci_root(std::uint32_t n, std::uint64_t *result)
{
    *result = co_await fibonacci(n);
}

void fibonacci_batch(bench_run *run)
{
    std::uint64_t result = 0;
    bench_start(run);
    fibonacci_root(run->n, &result);
    bench_stop(run);
    bench_require(result == BENCH_FIBONACCI_20, "the wrong number");
    run->items = 1;
}

/* ---- ready values and completed sources ---- */

struct ready_value {
    std::uint64_t value;
    bool await_ready() const noexcept { return true; }
    void await_suspend(std::coroutine_handle<>) const noexcept {}
    std::uint64_t await_resume() const noexcept { return value; }
};

root ready_root(std::uint32_t rounds, std::uint64_t *sum)
{
    for (std::uint32_t i = 0; i < rounds; i++) {
        *sum = bench_plain_call(*sum, co_await ready_value{i});
    }
}

void ready_batch(bench_run *run)
{
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    ready_root(run->items, &sum);
    bench_stop(run);
    bench_use(sum);
}

root completed_root(std::uint32_t rounds, source *s, std::uint64_t *sum)
{
    for (std::uint32_t i = 0; i < rounds; i++) {
        *sum = bench_plain_call(*sum, co_await s->next());
    }
}

void completed_batch(bench_run *run)
{
    source s;
    s.set = true;
    s.value = 7;
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    completed_root(run->items, &s, &sum);
    bench_stop(run);
    bench_use(sum);
}

/* ---- signals and completions, through the queue ---- */

root receiver(source *s, std::uint64_t *sum)
{
    for (;;) {
        *sum += co_await s->next();
    }
}

void signal_batch(bench_run *run)
{
    source s;
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    receiver(&s, &sum);
    bench_start(run);
    for (std::uint32_t i = 0; i < run->items; i++) {
        s.emit(1);
        queue.tick();
    }
    bench_stop(run);
    bench_require(sum == run->items, "an emit was not received");
    s.waiter.destroy();
}

root one_of_many(broadcast *b, std::uint64_t *sum)
{
    for (;;) {
        *sum += co_await b->next();
    }
}

void broadcast_batch(bench_run *run)
{
    broadcast b;
    std::uint64_t sum = 0;
    std::uint32_t rounds = bench_rounds(run->n);
    for (std::uint32_t i = 0; i < run->n; i++) {
        one_of_many(&b, &sum);
    }
    b.emit(0); /* what grows has grown */
    queue.tick();
    bench_start(run);
    for (std::uint32_t i = 0; i < rounds; i++) {
        b.emit(1);
        queue.tick();
    }
    bench_stop(run);
    run->items = rounds * run->n;
    bench_require(sum == run->items, "an emit was not received");
    for (std::coroutine_handle<> h : b.waiters) {
        h.destroy();
    }
}

root awaiter(source *s, std::uint64_t *sum)
{
    *sum += co_await s->next();
}

void completion_batch(bench_run *run)
{
    std::uint64_t sum = 0;
    run->items = BENCH_CALLS;
    bench_start(run);
    for (std::uint32_t i = 0; i < run->items; i++) {
        source s;
        awaiter(&s, &sum);
        s.emit(1);
        queue.tick();
    }
    bench_stop(run);
    bench_require(sum == run->items, "a completion was not received");
}

/* ---- lifecycles ---- */

root once_suspended(std::uint64_t *ended, int suspensions)
{
    for (; suspensions > 0; suspensions--) {
        co_await next_tick{};
    }
    ++*ended;
}

void lifecycle(bench_run *run, int suspensions)
{
    std::uint64_t ended = 0;
    bench_start(run);
    for (std::uint32_t i = 0; i < run->n; i++) {
        once_suspended(&ended, suspensions);
    }
    for (int i = 0; i < suspensions; i++) {
        queue.tick();
    }
    bench_stop(run);
    bench_require(ended == run->n, "a coroutine did not end");
}

void lifecycle_1_batch(bench_run *run)
{
    lifecycle(run, 1);
}

void lifecycle_4_batch(bench_run *run)
{
    lifecycle(run, 4);
}

/* Starting and resuming, apart and together. */
void schedule(bench_run *run, bool scheduling, bool resuming)
{
    std::uint32_t rounds = bench_rounds(run->n);
    std::uint64_t ended = 0;
    for (std::uint32_t round = 0; round < rounds; round++) {
        if (scheduling) {
            bench_start(run);
        }
        for (std::uint32_t i = 0; i < run->n; i++) {
            once_suspended(&ended, 1);
        }
        if (!resuming) {
            bench_stop(run);
        } else if (!scheduling) {
            bench_start(run);
        }
        queue.tick();
        if (resuming) {
            bench_stop(run);
        }
    }
    run->items = run->n * rounds;
    bench_require(ended == run->items, "a coroutine did not end");
}

void schedule_batch(bench_run *run)
{
    schedule(run, true, false);
}

void resume_only_batch(bench_run *run)
{
    schedule(run, false, true);
}

void schedule_resume_batch(bench_run *run)
{
    schedule(run, true, true);
}

void loops_16_batch(bench_run *run)
{
    lifecycle(run, 16);
    run->items = run->n * 16;
}

void cliff_batch(bench_run *run)
{
    std::uint32_t rounds = bench_rounds(run->n);
    std::uint64_t ended = 0;
    for (std::uint32_t i = 0; i < run->n; i++) {
        once_suspended(&ended, 1);
    }
    bench_start(run);
    for (std::uint32_t round = 0; round < rounds; round++) {
        queue.tick();
        for (std::uint32_t i = 0; i < run->n; i++) {
            once_suspended(&ended, 1);
        }
    }
    bench_stop(run);
    queue.tick();
    bench_require(ended == std::uint64_t(run->n) * (rounds + 1), "a coroutine did not end");
    run->items = run->n * rounds;
}

/* ---- destroy: unlinks nothing ---- */

std::uint64_t cleaned;

struct finally {
    ~finally() { cleaned++; }
};

held guarded(std::uint64_t state)
{
    finally guard;
    co_await std::suspend_always{};
    bench_use(state);
}

held guarded_chain_root(std::uint32_t calls);

task guarded_chain(std::uint32_t calls)
{
    finally guard;
    if (calls > 1) {
        co_return co_await guarded_chain(calls - 1);
    }
    co_await std::suspend_always{};
    co_return 0;
}

held guarded_chain_root(std::uint32_t calls)
{
    bench_use(co_await guarded_chain(calls));
}

void cancel_batch(bench_run *run)
{
    std::vector<std::coroutine_handle<>> handles(run->n);
    std::uint32_t rounds = bench_rounds(run->n);
    std::uint64_t before = cleaned;
    for (std::uint32_t round = 0; round < rounds; round++) {
        for (std::uint32_t i = 0; i < run->n; i++) {
            handles[i] = guarded(i).handle;
        }
        bench_start(run);
        for (std::uint32_t i = run->n; i-- > 0;) {
            handles[i].destroy();
        }
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(cleaned - before == run->items, "a guard was not destroyed");
}

/* The same with a queue that ends them; what the queue asks for is what destroy() leaves out. */
root guarded_tick(std::uint64_t state)
{
    finally guard;
    co_await next_tick{};
    bench_use(state);
}

void cancel_normal_batch(bench_run *run)
{
    std::uint32_t rounds = bench_rounds(run->n);
    std::uint64_t before = cleaned;
    for (std::uint32_t round = 0; round < rounds; round++) {
        for (std::uint32_t i = 0; i < run->n; i++) {
            guarded_tick(i);
        }
        bench_start(run);
        queue.tick();
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(cleaned - before == run->items, "a guard was not destroyed");
}

void cancel_nested_batch(bench_run *run)
{
    std::uint32_t rounds = bench_rounds(run->n);
    std::uint64_t before = cleaned;
    for (std::uint32_t round = 0; round < rounds; round++) {
        std::coroutine_handle<> h = guarded_chain_root(run->n).handle;
        bench_start(run);
        h.destroy();
        bench_stop(run);
    }
    run->items = run->n * rounds;
    bench_require(cleaned - before == run->items, "a guard was not destroyed");
}

const bench_case cases[] = {
    {"scale", "resume_one", "C++20", 128, resume_begin, resume_batch, resume_end},
    {"scale", "resume_one", "C++20", 4096, resume_begin, resume_batch, resume_end},
    {"scale", "resume_one", "C++20", 100000, resume_begin, resume_batch, resume_end},
    {"scale", "resume_one", "C++20", 1000000, resume_begin, resume_batch, resume_end},
    {"scale", "resume_shuffled", "C++20", 4096, shuffled_begin, resume_batch, resume_end},
    {"scale", "resume_shuffled", "C++20", 1000000, shuffled_begin, resume_batch, resume_end},
    {"scale", "resume_mixed", "C++20", 4096, mixed_begin, resume_batch, uncounted_end},
    {"scale", "start_end", "C++20", 1000000, fresh_begin, lifecycle_1_batch, nullptr},
    {"scale", "cliff", "C++20", 128, fresh_begin, cliff_batch, nullptr},
    {"scale", "cliff", "C++20", 4096, fresh_begin, cliff_batch, nullptr},
    {"onity", "lifecycle_1", "C++20", 4096, fresh_begin, lifecycle_1_batch, nullptr},
    {"onity", "lifecycle_4", "C++20", 4096, fresh_begin, lifecycle_4_batch, nullptr},
    {"flowtask", "resume_deep", "C++20", 1, deep_begin, deep_batch, deep_end},
    {"flowtask", "resume_deep", "C++20", 10, deep_begin, deep_batch, deep_end},
    {"flowtask", "resume_deep", "C++20", 100, deep_begin, deep_batch, deep_end},
    {"flowtask", "cancel", "C++20", 100, fresh_begin, cancel_batch, nullptr},
    {"flowtask", "cancel", "C++20", 500, fresh_begin, cancel_batch, nullptr},
    {"flowtask", "cancel", "C++20", 4096, fresh_begin, cancel_batch, nullptr},
    {"flowtask", "cancel_nested", "C++20", 100, fresh_begin, cancel_nested_batch, nullptr},
    {"flowtask", "cancel_nested", "C++20", 500, fresh_begin, cancel_nested_batch, nullptr},
    {"flowtask", "cancel_nested", "C++20", 4096, fresh_begin, cancel_nested_batch, nullptr},
    {"flowtask", "signal", "C++20", 1, fresh_begin, signal_batch, nullptr},
    {"runtime_async", "call", "C++20", 1, fresh_begin, call_batch, nullptr},
    {"runtime_async", "ready", "C++20", 1, fresh_begin, ready_batch, nullptr},
    {"runtime_async", "completed_source", "C++20", 1, fresh_begin, completed_batch, nullptr},
    {"runtime_async", "yield", "C++20", 1, deep_begin, deep_batch, deep_end},
    {"runtime_async", "completion_source", "C++20", 1, fresh_begin, completion_batch, nullptr},
    {"runtime_async", "chain", "C++20", 1, chain_begin, deep_batch, deep_end},
    {"runtime_async", "chain", "C++20", 10, chain_begin, deep_batch, deep_end},
    {"runtime_async", "chain", "C++20", 100, chain_begin, deep_batch, deep_end},
    {"runtime_async", "fibonacci", "C++20", 20, fresh_begin, fibonacci_batch, nullptr},
    {"slimtask", "use", "C++20", 1, fresh_begin, call_batch, nullptr},
    {"slimtask", "compute", "C++20", 1, fresh_begin, compute_batch, nullptr},
    {"scale", "resume_shuffled", "C++20", 128, shuffled_begin, resume_batch, resume_end},
    {"scale", "resume_shuffled", "C++20", 100000, shuffled_begin, resume_batch, resume_end},
    {"scale", "resume_mixed", "C++20", 128, mixed_begin, resume_batch, uncounted_end},
    {"scale", "resume_mixed", "C++20", 100000, mixed_begin, resume_batch, uncounted_end},
    {"scale", "resume_mixed", "C++20", 1000000, mixed_begin, resume_batch, uncounted_end},
    {"flowtask", "signal", "C++20", 100, fresh_begin, broadcast_batch, nullptr},
    {"scale", "signal", "C++20", 100000, fresh_begin, broadcast_batch, nullptr},
    {"scale", "bytes", "C++20", 100000, resume_begin, resume_batch, resume_end},
    {"scale", "lifecycle", "C++20", 4096, fresh_begin, lifecycle_1_batch, nullptr},
    {"flowtask", "sync_chain", "C++20", 1, fresh_begin, sync_chain_batch, nullptr},
    {"flowtask", "sync_chain", "C++20", 10, fresh_begin, sync_chain_batch, nullptr},
    {"flowtask", "sync_chain", "C++20", 100, fresh_begin, sync_chain_batch, nullptr},
    {"flowtask", "cancel_normal", "C++20", 100, fresh_begin, cancel_normal_batch, nullptr},
    {"flowtask", "cancel_normal", "C++20", 500, fresh_begin, cancel_normal_batch, nullptr},
    {"flowtask", "cancel_normal", "C++20", 4096, fresh_begin, cancel_normal_batch, nullptr},
    {"onity", "schedule", "C++20", 128, fresh_begin, schedule_batch, nullptr},
    {"onity", "schedule", "C++20", 4096, fresh_begin, schedule_batch, nullptr},
    {"onity", "resume", "C++20", 128, fresh_begin, resume_only_batch, nullptr},
    {"onity", "resume", "C++20", 4096, fresh_begin, resume_only_batch, nullptr},
    {"onity", "schedule_resume", "C++20", 128, fresh_begin, schedule_resume_batch, nullptr},
    {"onity", "schedule_resume", "C++20", 4096, fresh_begin, schedule_resume_batch, nullptr},
    {"onity", "loops_16", "C++20", 1024, fresh_begin, loops_16_batch, nullptr},
    {"onity", "loops_16", "C++20", 4096, fresh_begin, loops_16_batch, nullptr},
    {"onity", "completion_source", "C++20", 1, fresh_begin, completion_batch, nullptr},
};

} // namespace

BENCH_PEER(cases)
